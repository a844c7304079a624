# Numbers as people read them: sensible digits, intervals, units with SI prefixes; in plain Unicode.

# Digits after the decimal point of a number as printed: "547.8" -> 1, "0.004" -> 3, "12" -> 0.
decimals_of <- function(printed) {
  printed <- trimws(as.character(printed))
  fraction <- sub("^[^.]*\\.?", "", sub("[eE].*$", "", printed))
  ifelse(is.na(printed), NA_integer_, nchar(fraction))
}

# Decimals that show `x` with `digits` significant digits, never fewer than 0.
decimals_for <- function(x, digits) {
  pmax(0, digits - 1 - floor(log10(abs(x))))
}

# `x` in plain notation with `decimals` digits after the point, or with at least `digits` significant digits where
# `decimals` is NA; numbers of a million and more, and below a ten-thousandth, then get an exponent ("4.2e-5"). NA
# becomes "".
format_number <- function(x, decimals = NA, digits = 4) {
  mapply(format_one_number, x, decimals, digits, USE.NAMES = FALSE)
}

format_one_number <- function(x, decimals, digits) {
  if (is.na(x)) {
    return("")
  }
  if (is.infinite(x)) {
    return(paste0(if (x < 0) "-", "\u221e"))
  }
  if (!is.na(decimals)) {
    return(format_decimals(x, decimals))
  }
  if (x != 0 && (abs(x) >= 1e6 || abs(x) < 1e-4)) {
    return(tidy_exponent(formatC(x, format = "e", digits = digits - 1)))
  }
  if (x == 0) "0" else format_decimals(x, decimals_for(signif(x, digits), digits))
}

format_decimals <- function(x, decimals) {
  # A tie in decimal is rarely one in binary (5.125 is, 0.285 is not): the nudge rounds all of them away from 0.
  text <- formatC(x * (1 + 1e-12), format = "f", digits = decimals)
  if (grepl("[1-9]", text)) text else sub("^-", "", text)
}

# The result of "%e" without trailing zeros: "4.200e-05" becomes "4.2e-5".
tidy_exponent <- function(text) {
  text <- sub("\\.?0*e", "e", text)
  sub("e-0*", "e-", sub("e\\+0*", "e", text))
}

# Half the width of a 95 % interval; the larger half where it is not symmetric. NA where there is none.
half_width <- function(value, ci_low, ci_high) {
  pmax(value - ci_low, ci_high - value)
}

# Decimals for a value with half-width `half`: the half-width has one significant digit, or two
# if it starts with a 1 (rounding 1.4 to 1 would lose too much).
decimals_for_half_width <- function(half) {
  # 0.09999999999 is 0.1 after a subtraction.
  half <- signif(half, 9)
  first_digit <- floor(half / 10^floor(log10(half)))
  digits <- ifelse(first_digit == 1, 2, 1)
  decimals_for(signif(half, digits), digits)
}

# A value with the half-width of its interval, list(main = "562.8", half = "1.2"). Without an interval, the value alone:
# with the decimals of the `printed` number beside it, else with four significant digits (whole numbers
# without decimals). Beside a printed number there are never fewer decimals than printed, and at most two more; an
# interval that vanishes at that precision is left out. Very large and small values hold both in `main`:
# "(4.2 \u00b1 0.1)e-5". Where `interval` says so, "exact" replaces the half-width of a number that is the same for
# every seed, and the two ends replace that of a band.
measured_parts <- function(value, ci_low = NA, ci_high = NA, printed = NA, interval = "") {
  parts <- Map(one_measured, value, half_width(value, ci_low, ci_high), decimals_of(printed))
  parts <- matrix(as.character(unlist(parts)), nrow = 2)
  half <- ifelse(nzchar(parts[1, ]) & interval %in% exact, exact, parts[2, ])
  banded <- nzchar(half) & interval %in% "band"
  list(main = parts[1, ], half = ifelse(banded, band_text(parts[1, ], ci_low, ci_high), half))
}

# "[93.1, 96.4]", with the decimals of the number beside it.
band_text <- function(main, ci_low, ci_high) {
  sprintf("[%s, %s]", format_number(ci_low, decimals_of(main)), format_number(ci_high, decimals_of(main)))
}

exact <- "exact"

# The text behind a number: its half-width behind `sign`, its band, or that it is exact.
behind_number <- function(half, sign) {
  ifelse(half == "" | half == exact | startsWith(half, "["), half, paste0(sign, half))
}

# The same as text: "562.8 \u00b1 1.2".
format_measured <- function(value, ci_low = NA, ci_high = NA, printed = NA, interval = "") {
  parts <- measured_parts(value, ci_low, ci_high, printed, interval)
  trimws(paste(parts$main, behind_number(parts$half, "\u00b1 ")))
}

one_measured <- function(value, half, printed_decimals) {
  if (is.na(value)) {
    return(c("", ""))
  }
  if (!is.finite(half) || half <= 0) {
    return(c(format_exact(value, printed_decimals), ""))
  }
  if (is.na(printed_decimals)) {
    return(format_interval(value, half))
  }
  decimals <- min(max(decimals_for_half_width(half), printed_decimals), printed_decimals + 2)
  shown_half <- format_number(half, decimals)
  c(format_number(value, decimals), if (grepl("[1-9]", shown_half)) shown_half else "")
}

# A value without an interval.
format_exact <- function(value, printed_decimals) {
  text <- format_number(value, printed_decimals)
  if (is.na(printed_decimals) && value == round(value)) trim_zeros(text) else text
}

# A value with its interval, beside no printed number.
format_interval <- function(value, half) {
  largest <- max(abs(value), half)
  exponent <- if (largest < 1e-4 || largest >= 1e6) floor(log10(largest)) else 0
  decimals <- decimals_for_half_width(half / 10^exponent)
  parts <- c(format_number(value / 10^exponent, decimals), format_number(half / 10^exponent, decimals))
  if (exponent == 0) parts else c(sprintf("(%s \u00b1 %s)e%d", parts[1], parts[2], as.integer(exponent)), "")
}

si_prefixes <- data.table::data.table(
  prefix = c("n", "\u00b5", "m", "", "k", "M", "G", "T"),
  factor = c(1e-9, 1e-6, 1e-3, 1, 1e3, 1e6, 1e9, 1e12)
)

# The unit in which values of an SI unit are best shown, and the factor to divide them by:
# si_scale(c(2e6, 1e7), "bit/s") -> list(unit = "Mbit/s", factor = 1e6). One scale for all values, chosen for the
# smallest one that is not zero, so that no digits hide behind "0.00". Units without prefixes (packets) stay.
si_scale <- function(values, unit) {
  allowed <- switch(unit,
    "bit/s" = c("", "k", "M", "G", "T"),
    "s" = c("n", "\u00b5", "m", ""),
    "packets/s" = c("", "k", "M"),
    ""
  )
  magnitudes <- abs(values[is.finite(values) & values != 0])
  if (length(magnitudes) == 0 || identical(allowed, "")) {
    return(list(unit = unit, factor = 1))
  }
  prefixes <- si_prefixes[si_prefixes$prefix %in% allowed, ]
  fitting <- prefixes[prefixes$factor <= min(magnitudes) * (1 + 1e-9), ]
  chosen <- if (nrow(fitting) > 0) fitting[nrow(fitting), ] else prefixes[1, ]
  list(unit = paste0(chosen$prefix, unit), factor = chosen$factor)
}

# "10 Mbit/s", "0.5 %", "44 packets", "exponential": one swept value as people write it.
format_quantity <- function(value, unit = "") {
  if (is.character(value)) {
    return(value)
  }
  if (is.logical(value)) {
    return(if (isTRUE(value)) "yes" else "no")
  }
  scale <- si_scale(value, unit)
  text <- trim_zeros(format_number(value / scale$factor, digits = 6))
  if (scale$unit == "1") text else trimws(paste(text, scale$unit))
}

# "50.0000" -> "50"; for values that people chose, where trailing zeros mean nothing.
trim_zeros <- function(text) {
  ifelse(grepl("^[^e]*\\.[^e]*$", text), sub("\\.?0+$", "", text), text)
}

# A share as a change: 0.0213 -> "+2.1 %".
signed_percent <- function(share) {
  ifelse(is.finite(share), sub("-", "\u2212", sprintf("%+.1f %%", 100 * share), fixed = TRUE), "")
}
