# Tables in HTML: one self-contained page per table, plain enough for Snakemake's report.

html_style <- function() {
  verdict_rules <- sprintf(".%s{color:%s;font-weight:700}", names(verdict_colours), verdict_colours)
  paste(c(html_rules, verdict_rules), collapse = "\n")
}

html_rules <- c(
  "body{font:14px/1.45 system-ui,-apple-system,'Segoe UI',Helvetica,Arial,sans-serif;color:#1a1a1a;background:#fff;",
  "margin:1.5rem;max-width:75rem}",
  "h1{font-size:1.15rem;font-weight:600;margin:0 0 .9rem}",
  "h2{font-size:1.02rem;font-weight:600;margin:1.4rem 0 .5rem}",
  ".scroll{overflow-x:auto;margin:0 0 1rem}",
  ".picture svg{max-width:52rem;height:auto}",
  "li{margin:.2rem 0;max-width:60rem}",
  "sup{line-height:0}",
  "table{border-collapse:collapse;border-top:2px solid #222;border-bottom:2px solid #222;",
  "font-variant-numeric:tabular-nums}",
  "th{font-weight:600;text-align:left;vertical-align:bottom;padding:.35rem .7rem;white-space:nowrap}",
  "th.number,th.span{text-align:center}",
  "th.span{border-bottom:1px solid #999}",
  "thead tr:last-child th{border-bottom:1px solid #222}",
  "td{padding:.16rem .7rem;white-space:nowrap;vertical-align:baseline}",
  "td.number{text-align:right}",
  "td.main{padding-right:.15rem}",
  "td.tail{padding-left:0}",
  "td.wrap{white-space:normal;min-width:20rem}",
  "tr.group td{padding-top:.6rem}",
  ".interval{color:#666;font-size:.85em}",
  ".legend,ol.notes{color:#555;font-size:.87rem;margin-top:.8rem;max-width:60rem}",
  "ol.notes{list-style:lower-alpha;padding-left:1.4rem}"
)

html_page <- function(title, content) {
  c(
    "<!DOCTYPE html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\">",
    sprintf("<title>%s</title>", html_escape(title)), "<style>", html_style(), "</style>", "</head>", "<body>",
    sprintf("<h1>%s</h1>", html_label(literal(title))), content, "</body>", "</html>"
  )
}

# The lines of a table, with its notes.
html_table <- function(table) {
  layout <- table_layout(table)
  c(
    "<div class=\"scroll\">", "<table>", "<thead>", html_spans(table, layout), html_headings(table, layout), "</thead>",
    "<tbody>", html_rows(table, layout), "</tbody>", "</table>", "</div>", html_notes(table)
  )
}

html_spans <- function(table, layout) {
  if (is.null(table$spans)) {
    return(NULL)
  }
  covered <- unlist(Map(seq, table$spans$from, table$spans$to))
  cells <- vapply(seq_along(table$headings), function(index) {
    span <- table$spans[table$spans$from == index]
    if (nrow(span) == 1) {
      width <- sum(layout$width[seq(span$from, span$to)])
      return(sprintf("<th class=\"span\" colspan=\"%d\">%s</th>", width, html_label(span$text)))
    }
    if (index %in% covered) "" else sprintf("<th colspan=\"%d\"></th>", layout$width[index])
  }, "")
  paste0("<tr>", paste(cells, collapse = ""), "</tr>")
}

html_headings <- function(table, layout) {
  texts <- gsub("\n", "<br>", html_label(table$headings), fixed = TRUE)
  kind <- ifelse(layout$numeric | layout$tail, " class=\"number\"", "")
  paste0("<tr>", paste(sprintf("<th%s colspan=\"%d\">%s</th>", kind, layout$width, texts), collapse = ""), "</tr>")
}

html_rows <- function(table, layout) {
  shown <- blank_repeats(table)
  columns <- lapply(seq_along(shown), function(index) {
    html_cells(shown[[index]], layout$numeric[index], layout$tail[index], index %in% table$wrap)
  })
  class <- ifelse(starts_group(table), " class=\"group\"", "")
  paste0("<tr", class, ">", do.call(paste0, columns), "</tr>")
}

html_cells <- function(part, numeric, tail, wrap) {
  main <- if (numeric) align_decimals(part$main) else html_text(part$main)
  class <- paste(c("number", "main", "wrap")[c(numeric, tail, wrap)], collapse = " ")
  cells <- sprintf("<td%s>%s</td>", if (nzchar(class)) sprintf(" class=\"%s\"", class) else "", main)
  if (!tail) {
    return(cells)
  }
  half <- behind_number(part$half, "&plusmn;&#8201;")
  interval <- ifelse(nzchar(half), sprintf("<span class=\"interval\">%s</span>", half), "")
  span <- sprintf("<span class=\"%1$s\" title=\"%1$s\">%2$s</span>", part$verdict, verdict_marks[part$verdict])
  mark <- ifelse(nzchar(part$verdict), span, "")
  note <- ifelse(nzchar(part$note), sprintf("<sup>%s</sup>", part$note), "")
  paste0(cells, "<td class=\"tail\">", trimws(paste0(interval, " ", mark, note)), "</td>")
}

# Pads numbers on the right with figure spaces, so that the points of a right-aligned column stand below each other.
align_decimals <- function(main) {
  plain <- is_number(main)
  decimals <- ifelse(plain, decimals_of(main), 0)
  missing <- ifelse(plain, max(decimals) - decimals, 0)
  point <- ifelse(missing > 0 & decimals == 0, "\u2008", "")
  text <- ifelse(plain, sub("^-", "\u2212", main), html_text(main))
  paste0(text, point, strrep("\u2007", missing))
}

# Texts of cells: labels, and numbers with an exponent.
html_text <- function(text) {
  text <- gsub("^-(?=[0-9])", "\u2212", text, perl = TRUE)
  exponent <- sub("-", "\u2212", sub("^.*e(-?[0-9]+)$", "\\1", text), fixed = TRUE)
  plain <- html_label(sub("e-?[0-9]+$", "", text))
  ifelse(is_scientific(text), sprintf("%s&nbsp;&times;&nbsp;10<sup>%s</sup>", plain, exponent), html_label(text))
}

# The meaning of the marks in the tables.
html_legend <- function(tables) {
  shown <- verdicts_shown(tables)
  if (length(shown) == 0) {
    return(NULL)
  }
  entries <- sprintf(
    "<span class=\"%s\">%s</span> %s (%s)", shown, verdict_marks[shown], shown, verdict_meanings[shown]
  )
  sprintf(
    "<p class=\"legend\">%s. Intervals are 95&nbsp;%% half-widths; what is exact is the same for every seed.</p>",
    paste(entries, collapse = "; ")
  )
}

html_notes <- function(table) {
  if (length(table$notes) == 0) {
    return(NULL)
  }
  c("<ol class=\"notes\">", sprintf("<li>%s</li>", html_label(literal(table$notes))), "</ol>")
}
