# Text and symbols for four readers: LaTeX, HTML, ggplot2 and plain CSV.
#
# Our own labels hold symbols in a small part of LaTeX's mathematics between dollars: "round-trip time
# $\\mathrm{RTT}_0$". Letters are variables, \\name is Greek or an operator, _x and _{xy} are subscripts, \\mathrm{abc}
# is upright, \\tilde{W} a letter with a tilde. Text that comes from outside (titles, notes) is no markup: it becomes
# a label by literal().

greek_and_operators <- c(
  alpha = "\u03b1", beta = "\u03b2", gamma = "\u03b3", delta = "\u03b4", Delta = "\u0394", epsilon = "\u03b5",
  eta = "\u03b7", theta = "\u03b8", lambda = "\u03bb", mu = "\u03bc", nu = "\u03bd", xi = "\u03be",
  pi = "\u03c0", rho = "\u03c1", sigma = "\u03c3", tau = "\u03c4", phi = "\u03c6", omega = "\u03c9",
  le = "\u2264", ge = "\u2265", ne = "\u2260", times = "\u00d7", pm = "\u00b1", infty = "\u221e", approx = "\u2248",
  to = "\u2192"
)

math_token <- paste0(
  "\\\\(?:mathrm|tilde)\\{[^}]*\\}|\\\\[A-Za-z]+|_\\{[^}]*\\}|_[A-Za-z0-9]|[A-Za-z]|[^A-Za-z\\\\_]+"
)

# Text from outside as a label: its dollars are literal (a full-width dollar replaces them until shown), and the papers'
# symbols that it names, "W_R" or "rho_0", are typeset.
literal <- function(text) {
  text <- gsub("$", wide_dollar, text, fixed = TRUE)
  text <- gsub(named_upright, "$\\\\mathrm{\\1}_{\\2}$", text, perl = TRUE)
  gsub(named_symbol, "$\\1_{\\2}$", gsub(named_greek, "$\\\\\\1_{\\2}$", text, perl = TRUE), perl = TRUE)
}

# A letter, RTT, ON or OFF, or the name of a Greek letter, with a subscript of a few letters or digits.
named_upright <- "(?<![A-Za-z0-9_$\\\\.\uff04])(RTT|ON|OFF)_([0-9])(?![A-Za-z0-9_\uff04])"
named_greek <- paste0(
  "(?<![A-Za-z0-9_$\\\\.\uff04])(alpha|beta|eta|gamma|lambda|mu|nu|rho|tau)",
  "_([A-Za-z0-9]{1,3})(?![A-Za-z0-9_\uff04])"
)
named_symbol <- "(?<![A-Za-z0-9_$\\\\.\uff04])([A-Za-z])_(max|min|th|[A-Za-z0-9]{1,2})(?![A-Za-z0-9_\uff04])"

wide_dollar <- "\uff04"

show_dollars <- function(text) {
  gsub(wide_dollar, "$", text, fixed = TRUE)
}

# Splits a label into its pieces: list(text = character, math = logical).
split_label <- function(label) {
  pieces <- strsplit(label, "$", fixed = TRUE)[[1]]
  list(text = pieces[nzchar(pieces)], math = (seq_along(pieces) %% 2 == 0)[nzchar(pieces)])
}

# Applies `text` and `math` to the respective pieces of every label, and pastes them.
convert_labels <- function(labels, text, math) {
  vapply(labels, function(label) {
    pieces <- split_label(label)
    paste(ifelse(pieces$math, vapply(pieces$text, math, ""), text(pieces$text)), collapse = "")
  }, "", USE.NAMES = FALSE)
}

convert_math <- function(math, convert_token) {
  tokens <- regmatches(math, gregexpr(math_token, math))[[1]]
  paste(vapply(tokens, convert_token, ""), collapse = "")
}

tex_label <- function(labels) {
  convert_labels(labels, tex_escape, function(math) {
    paste0("$", gsub("_\\{([A-Za-z]{2,})\\}", "_{\\\\mathrm{\\1}}", math), "$")
  })
}

html_label <- function(labels) {
  show_dollars(convert_labels(labels, html_escape, function(math) convert_math(math, html_token)))
}

plain_label <- function(labels) {
  show_dollars(convert_labels(labels, identity, function(math) convert_math(math, plain_token)))
}

# A plotmath expression, as a string for label_parsed() and geom_text(parse = TRUE).
plot_label <- function(labels) {
  vapply(labels, function(label) {
    pieces <- split_label(label)
    terms <- ifelse(pieces$math, vapply(pieces$text, plotmath, ""), quote_plotmath(pieces$text))
    sprintf("paste(%s)", paste(terms, collapse = ", "))
  }, "", USE.NAMES = FALSE)
}

# The same as an expression, for labs() and scale labels.
plot_expression <- function(labels) {
  str2expression(plot_label(labels))
}

# A letter with a tilde above it.
with_tilde <- function(letter) paste0(letter, "\u0303")

braced <- function(token) {
  sub("^[^{]*\\{(.*)\\}$", "\\1", token)
}

# "_R" -> "R", "_{max}" -> "max"
subscript_of <- function(token) {
  if (grepl("{", token, fixed = TRUE)) braced(token) else substring(token, 2)
}

symbol_of <- function(token) {
  name <- substring(token, 2)
  if (!name %in% names(greek_and_operators)) {
    stop("no symbol known for ", token, call. = FALSE)
  }
  greek_and_operators[[name]]
}

html_token <- function(token) {
  if (startsWith(token, "_")) {
    return(sprintf("<sub>%s</sub>", html_escape(subscript_of(token))))
  }
  text <- html_escape(plain_token(token))
  is_variable <- grepl("^[A-Za-z]$", token) || startsWith(token, "\\tilde")
  if (is_variable) sprintf("<i>%s</i>", text) else text
}

plain_token <- function(token) {
  if (startsWith(token, "\\mathrm")) {
    return(braced(token))
  }
  if (startsWith(token, "\\tilde")) {
    return(with_tilde(braced(token)))
  }
  if (startsWith(token, "\\")) {
    return(symbol_of(token))
  }
  if (startsWith(token, "_")) {
    return(paste0("_", subscript_of(token)))
  }
  token
}

quote_plotmath <- function(text) {
  encodeString(text, quote = "\"")
}

plotmath <- function(math) {
  tokens <- regmatches(math, gregexpr(math_token, math))[[1]]
  subscript <- startsWith(tokens, "_")
  terms <- vapply(tokens, plotmath_token, "", USE.NAMES = FALSE)
  groups <- cumsum(!subscript)
  paste(tapply(terms, groups, paste, collapse = ""), collapse = ", ")
}

plotmath_token <- function(token) {
  if (startsWith(token, "_")) {
    return(sprintf("[%s]", quote_plotmath(subscript_of(token))))
  }
  if (grepl("^[A-Za-z]$", token)) {
    return(sprintf("italic(%s)", token))
  }
  if (startsWith(token, "\\tilde")) {
    return(sprintf("tilde(italic(%s))", braced(token)))
  }
  quote_plotmath(plain_token(token))
}

html_escape <- function(text) {
  text <- gsub("&", "&amp;", text, fixed = TRUE)
  text <- gsub("<", "&lt;", text, fixed = TRUE)
  text <- gsub(">", "&gt;", text, fixed = TRUE)
  gsub("\"", "&quot;", text, fixed = TRUE)
}

small_digits <- c(
  stats::setNames(sprintf("\\ensuremath{_%d}", 0:9), intToUtf8(0x2080 + 0:9, multiple = TRUE)),
  stats::setNames(
    sprintf("\\ensuremath{^%d}", 0:9), intToUtf8(c(0x2070, 0xb9, 0xb2, 0xb3, 0x2074:0x2079), multiple = TRUE)
  )
)

tex_special <- c(
  small_digits,
  "\\" = "\\textbackslash{}", "{" = "\\{", "}" = "\\}", "&" = "\\&", "%" = "\\%", "$" = "\\$", "#" = "\\#",
  "_" = "\\_", "~" = "\\textasciitilde{}", "^" = "\\textasciicircum{}", "<" = "\\textless{}", ">" = "\\textgreater{}",
  "|" = "\\textbar{}", "\"" = "''", "\uff04" = "\\$",
  "\u2013" = "--", "\u2014" = "---", "\u2018" = "`", "\u2019" = "'", "\u201c" = "``", "\u201d" = "''",
  "\u2026" = "\\ldots{}", "\u00b7" = "\\textperiodcentered{}", "\u00b1" = "\\ensuremath{\\pm}",
  "\u00d7" = "\\ensuremath{\\times}", "\u2212" = "\\ensuremath{-}", "\u00b5" = "\\ensuremath{\\mu}",
  "\u00b0" = "\\textdegree{}", "\u00a0" = "~", "\u202f" = "\\,", "\u2032" = "\\ensuremath{'}", "\u2713" = "\\ding{51}",
  "\u230a" = "\\ensuremath{\\lfloor}", "\u230b" = "\\ensuremath{\\rfloor}", "\u2248" = "\\ensuremath{\\approx}",
  "\u221a" = "\\ensuremath{\\surd}"
)

# Every character of any text made safe for pdflatex. Latin letters with accents pass, Greek and common operators
# become symbols, sub- and superscript digits go to their place; what has no equivalent becomes its nearest ASCII.
tex_escape <- function(text) {
  vapply(as.character(text), function(one) {
    if (is.na(one)) {
      return("")
    }
    paste(vapply(strsplit(enc2utf8(one), "")[[1]], tex_escape_character, ""), collapse = "")
  }, "", USE.NAMES = FALSE)
}

tex_escape_character <- function(character) {
  code <- utf8ToInt(character)
  if (character %in% names(tex_special)) {
    tex_special[[character]]
  } else if (code < 0x80 || (code >= 0xc0 && code < 0x180)) {
    character
  } else if (character %in% greek_and_operators) {
    sprintf("\\ensuremath{\\%s}", names(greek_and_operators)[match(character, greek_and_operators)])
  } else {
    nearest_ascii(character)
  }
}

nearest_ascii <- function(character) {
  ascii <- iconv(character, "UTF-8", "ASCII//TRANSLIT", sub = "?")
  if (is.na(ascii)) "?" else gsub("([&%$#_{}])", "\\\\\\1", ascii)
}
