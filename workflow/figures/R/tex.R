# Tables in LaTeX: booktabs, numbers aligned at the decimal point by siunitx or dcolumn. The commands \interval, \exact,
# \verdictmark and \tablenote are defined in paper/preamble.tex.

# The longest piece of a table, and the longest table that floats. Text that wraps never floats, because only LaTeX
# knows its height.
longest_tabular <- 42

breaks_over_pages <- function(tables) {
  wraps <- vapply(tables, function(table) length(table$wrap) > 0, NA)
  any(wraps) || sum(vapply(tables, function(table) row_count(table) + length(table$notes), 0)) > longest_tabular
}

# Tables that belong together, one below the other, in the environment that places them: a float, or one that breaks
# over pages and keeps its caption with what follows.
tex_tables <- function(tables) {
  if (length(tables) == 1 && !is.null(tables[[1]]$missing)) {
    return("% Nothing to show.")
  }
  long <- breaks_over_pages(tables)
  environment <- if (long) "longitemtable" else "itemtable"
  lines <- if (long) sprintf("{%d}", min(row_count(tables[[1]]), 30) + 8) else ""
  pieces <- lapply(seq_along(tables), function(index) {
    c(if (index > 1) "\\par\\medskip", tex_table(tables[[index]]))
  })
  c(sprintf("\\begin{%s}%s", environment, lines), unlist(pieces), sprintf("\\end{%s}", environment))
}

# The lines of a table for \input: tabulars that fit on a page, shrunk to the line's width if need be; or, where a
# column wraps, a longtable, whose width is that of its columns.
tex_table <- function(table) {
  layout <- table_layout(table)
  columns <- paste0("{@{}", paste(tex_specification(layout, table), collapse = ""), "@{}}")
  head <- c("\\toprule", tex_spans(table, layout), tex_headings(table, layout), "\\midrule")
  if (length(table$wrap) > 0) {
    begin <- c(paste0("\\begin{longtable*}", columns), head, "\\endhead", "\\bottomrule", "\\endlastfoot")
    return(c(begin, tex_rows(table, layout), "\\end{longtable*}", tex_notes(table)))
  }
  begin <- c(paste0("\\begin{adjustbox}{max width=\\linewidth}\\begin{tabular}", columns), head)
  end <- c("\\bottomrule", "\\end{tabular}\\end{adjustbox}")
  pieces <- lapply(tex_pieces(table), function(rows) {
    piece <- table
    piece$columns <- lapply(table$columns, function(part) part[rows])
    c(if (rows[1] > 1) "\\par\\medskip", begin, tex_rows(piece, layout), end)
  })
  c(unlist(pieces), tex_notes(table))
}

# The rows of each piece: as even as may be, cut where a group starts if one does nearby.
tex_pieces <- function(table) {
  count <- row_count(table)
  if (count <= longest_tabular) {
    return(list(seq_len(count)))
  }
  even <- seq_len(count) * ceiling(count / longest_tabular)
  ends <- which(diff(even %/% (count + 1)) > 0)
  starts <- which(starts_group(table))
  ends <- vapply(ends, function(end) {
    near <- starts[abs(starts - 1 - end) <= 6] - 1
    if (length(near) > 0) near[which.min(abs(near - end))] else end
  }, 0)
  split(seq_len(count), findInterval(seq_len(count), ends + 1))
}

tex_specification <- function(layout, table) {
  formats <- vapply(table$columns, function(part) s_format(part$main), "")
  numbers <- if (length(table$wrap) > 0) {
    # siunitx takes its time, which adds up in a table over many pages.
    sprintf("D{.}{.}{%s}", sub("^-", "", formats))
  } else {
    sprintf("S[table-format=%s]", formats)
  }
  main <- ifelse(layout$numeric, numbers, "l")
  main[table$wrap] <- sprintf(">{\\raggedright\\arraybackslash}p{%s\\linewidth}", format(table$share))
  ifelse(layout$tail, paste0(main, "@{\\,}l"), main)
}

# siunitx's table-format for a column of numbers: sign, digits before and after the point.
s_format <- function(main) {
  main <- main[is_number(main)]
  if (length(main) == 0) {
    return("1.0")
  }
  sign <- if (any(startsWith(main, "-"))) "-" else ""
  whole <- max(nchar(sub("\\..*$", "", sub("^-", "", main))))
  paste0(sign, whole, ".", max(decimals_of(main)))
}

tex_spans <- function(table, layout) {
  if (is.null(table$spans)) {
    return(NULL)
  }
  first <- cumsum(c(1, layout$width))
  cells <- character(length(table$columns))
  rules <- character()
  for (index in seq_len(nrow(table$spans))) {
    span <- table$spans[index]
    from <- first[span$from]
    to <- first[span$to + 1] - 1
    cells[span$from] <- sprintf("\\multicolumn{%d}{c}{%s}", to - from + 1, tex_label(span$text))
    cells[setdiff(seq(span$from, span$to), span$from)] <- NA
    rules <- c(rules, sprintf("\\cmidrule(lr){%d-%d}", from, to))
  }
  empty <- !is.na(cells) & !nzchar(cells) & layout$width == 2
  cells[empty] <- " & "
  c(paste(paste(cells[!is.na(cells)], collapse = " & "), "\\\\"), paste(rules, collapse = ""))
}

tex_headings <- function(table, layout) {
  texts <- vapply(table$headings, function(heading) {
    lines <- tex_label(strsplit(heading, "\n", fixed = TRUE)[[1]])
    if (length(lines) > 1) sprintf("\\shortstack{%s}", paste(lines, collapse = "\\\\")) else paste0(lines, "")
  }, "")
  # dcolumn would set a heading as a number.
  single <- if (length(table$wrap) > 0) ifelse(layout$numeric, "\\multicolumn{1}{c}{%s}", "{%s}") else "{%s}"
  cells <- ifelse(layout$width == 2, sprintf("\\multicolumn{2}{c}{%s}", texts), sprintf(single, texts))
  paste(paste(cells, collapse = " & "), "\\\\")
}

tex_rows <- function(table, layout) {
  shown <- blank_repeats(table)
  columns <- lapply(seq_along(shown), function(index) {
    part <- shown[[index]]
    main <- if (layout$numeric[index]) tex_numbers_of(part$main) else tex_text(part$main)
    if (layout$tail[index]) paste0(main, " & ", tex_tail(part)) else main
  })
  lines <- paste(do.call(paste, c(columns, sep = " & ")), "\\\\")
  ifelse(starts_group(table), paste0("\\addlinespace\n", lines), lines)
}

# Numbers for siunitx or dcolumn. Those with an exponent are typeset here, in a cell that neither of them reads: dcolumn
# looks for a decimal point inside braces too.
tex_numbers_of <- function(main) {
  ifelse(is_scientific(main), sprintf("\\multicolumn{1}{r}{%s}", tex_text(main)), main)
}

# Texts of cells: labels, and numbers with an exponent, "(4.2 \u00b1 0.1)e-5".
tex_text <- function(text) {
  text <- gsub("^-(?=[0-9])", "\u2212", text, perl = TRUE)
  plain <- tex_label(sub("e-?[0-9]+$", "", text))
  exponent <- sub("^.*e(-?[0-9]+)$", "\\1", text)
  ifelse(is_scientific(text), sprintf("%s\\ensuremath{{}\\times10^{%s}}", plain, exponent), tex_label(text))
}

# Interval, mark and note that follow a number.
tex_tail <- function(part) {
  interval <- ifelse(nzchar(part$half), sprintf("\\interval{%s}", part$half), "")
  interval[part$half == exact] <- "\\exact{}"
  banded <- startsWith(part$half, "[")
  interval[banded] <- sprintf("\\band{%s}", part$half[banded])
  note <- ifelse(nzchar(part$note), sprintf("\\textsuperscript{%s}", part$note), "")
  mark <- ifelse(nzchar(part$verdict), sprintf("\\verdictmark[%s]{%s}", part$note, part$verdict), note)
  paste0(interval, ifelse(nzchar(interval) & nzchar(mark), "\\,", ""), mark)
}

tex_notes <- function(table) {
  if (length(table$notes) == 0) {
    return(NULL)
  }
  c(
    "\\begin{tablenotes}",
    sprintf("\\tablenote{%s}{%s}", names(table$notes), tex_label(literal(table$notes))),
    "\\end{tablenotes}"
  )
}
