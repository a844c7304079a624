# Writes results: whole files or none, the same bytes for the same data.

# Calls `write(temporary)` with a path in the same folder, then puts the finished file in its place.
write_atomically <- function(path, write) {
  folder <- dirname(path)
  dir.create(folder, recursive = TRUE, showWarnings = FALSE)
  if (file.access(folder, 2) != 0) {
    abort_with("%s: this folder cannot be written", folder)
  }
  extension <- sub("^.*\\.", ".", basename(path))
  temporary <- tempfile(".partial-", tmpdir = folder, fileext = extension)
  on.exit(unlink(temporary))
  tryCatch(write(temporary), error = function(error) abort_with("%s: cannot be written: %s", path, one_line(error)))
  if (!file.exists(temporary) || !file.rename(temporary, path)) {
    abort_with("%s: cannot be written", path)
  }
  invisible(path)
}

write_lines <- function(lines, path) {
  bytes <- charToRaw(paste0(paste(enc2utf8(as.character(lines)), collapse = "\n"), "\n"))
  write_atomically(path, function(temporary) {
    suppressWarnings(writeBin(bytes, temporary))
    if (file.size(temporary) != length(bytes)) {
      abort_with("no space left?")
    }
  })
}

# Saves a plot as <stem>.pdf, .svg and .png: laid out once, which takes longer than drawing, with the fonts of the PDF.
# The same plot gives the same bytes.
save_figure <- function(plot, stem, size) {
  open_pdf <- function(path, width, height) {
    symbols <- grDevices::cairoSymbolFont("DejaVu Sans")
    grDevices::cairo_pdf(path, width, height, family = figure_font, symbolfamily = symbols)
  }
  layout <- on_device(function() open_pdf(nullfile(), size[["width"]], size[["height"]]), function() {
    if (inherits(plot, "patchwork")) patchwork::patchworkGrob(plot) else ggplotGrob(plot)
  })
  save_by <- function(ending, last_bytes, open_device) {
    write_atomically(paste0(stem, ending), function(path) {
      on_device(function() open_device(path, size[["width"]], size[["height"]]), function() grid::grid.draw(layout))
      if (ending == ".pdf") {
        overwrite_date(path)
      }
      check_end(path, last_bytes)
    })
  }
  save_by(".pdf", "%%EOF\n", open_pdf)
  save_by(".svg", "</svg>\n", open_svg)
  save_by(".png", "IEND\xaeB`\x82", function(path, width, height) {
    ragg::agg_png(path, width, height, units = "in", res = 200)
  })
}

open_svg <- function(path, width, height) {
  name_symbol_font()
  svglite::svglite(path, width, height)
}

# Mathematical symbols come from the font Symbol. If it is missing, the machine substitutes another one with different
# widths.
name_symbol_font <- function() {
  path <- systemfonts::match_font("DejaVu Sans")$path
  for (name in c("Symbol", "symbol")) {
    if (systemfonts::match_font(name)$path != path) {
      systemfonts::register_font(name, path, path, path, path)
    }
  }
}

# Cairo writes the time of drawing into a PDF.
overwrite_date <- function(path) {
  bytes <- readBin(path, "raw", file.size(path))
  start <- charToRaw("/CreationDate (D:")
  date <- charToRaw("19700101000000")
  for (at in grepRaw(start, bytes, fixed = TRUE, all = TRUE)) {
    bytes[at + length(start) - 1L + seq_along(date)] <- date
  }
  writeBin(bytes, path)
}

# The devices do not notice a full disk; a truncated file lacks its proper end.
check_end <- function(path, last_bytes) {
  wanted <- charToRaw(last_bytes)
  bytes <- readBin(path, "raw", file.size(path))
  if (!identical(utils::tail(bytes, length(wanted)), wanted)) {
    abort_with("no space left?")
  }
}

on_device <- function(open_device, draw) {
  open_device()
  on.exit(grDevices::dev.off())
  draw()
}

# Saves what a plot shows as <stem>.csv.
save_drawn <- function(plot, stem) {
  write_atomically(paste0(stem, ".csv"), function(path) data.table::fwrite(drawn_table(plot), path))
}

# Saves tables that belong together as <stem>.tex (tabulars and longtables for \input), .html (a page of its own) and
# .csv (the cells as shown, one table after the other, an empty line between them).
save_tables <- function(tables, stem, title) {
  write_lines(tex_tables(tables), paste0(stem, ".tex"))
  page <- html_page(title, c(unlist(lapply(tables, html_table)), html_legend(tables)))
  write_lines(page, paste0(stem, ".html"))
  texts <- vapply(tables, csv_text, "")
  write_lines(paste(texts, collapse = "\n\n"), paste0(stem, ".csv"))
}

# Saves a piece of the report: its LaTeX as `out`, and beside it its figure, in all formats, and a page of HTML, which
# `html` makes given that figure as lines. Gives the path without ending.
save_piece <- function(out, plot, tex, title, html) {
  if (!grepl("\\.tex$", out)) {
    abort_with("--out %s: must end in .tex", out)
  }
  stem <- sub("\\.tex$", "", out)
  save_figure(plot, stem, size_of(plot))
  write_lines(tex, out)
  svg <- grep("^<\\?xml", readLines(paste0(stem, ".svg"), encoding = "UTF-8"), invert = TRUE, value = TRUE)
  write_lines(html_page(title, html(c("<div class=\"picture\">", svg, "</div>"))), paste0(stem, ".html"))
  stem
}

csv_text <- function(table) {
  body <- data.table::as.data.table(lapply(table$columns, function(part) plain_label(cell_texts(part))))
  data.table::setnames(body, plain_headings(table))
  # fwrite treats text as a format when it prints ("1 % the" loses its t), but not when it writes to a file.
  path <- tempfile()
  on.exit(unlink(path))
  data.table::fwrite(body, path)
  paste(readLines(path, encoding = "UTF-8"), collapse = "\n")
}

# One heading per column: spans go before the headings below them.
plain_headings <- function(table) {
  headings <- gsub("\n", " ", plain_label(table$headings), fixed = TRUE)
  for (index in seq_len(if (is.null(table$spans)) 0 else nrow(table$spans))) {
    span <- table$spans[index]
    columns <- seq(span$from, span$to)
    headings[columns] <- paste(plain_label(span$text), headings[columns])
  }
  headings
}
