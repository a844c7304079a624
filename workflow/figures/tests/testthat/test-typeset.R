shown_table <- function() {
  columns_to_table(
    list(
      list(heading = "", cells = c("E & co", "E & co")),
      list(heading = "$h$\n(kbit/s)", cells = cells(
        c("562.84", "-3"), c("1.2", ""), c("reproduced", "deviates"), c("", "a")
      ))
    ),
    groups = 1, spans = data.table(text = "ours", from = 2L, to = 2L), notes = c(a = "50 % less")
  )
}

test_that("LaTeX aligns numbers, and sets intervals, marks and notes", {
  lines <- tex_table(shown_table())
  expect_match(lines[1], "\\begin{tabular}{@{}lS[table-format=-3.2]@{\\,}l@{}}", fixed = TRUE)
  expect_true("E \\& co & 562.84 & \\interval{1.2}\\,\\verdictmark[]{reproduced} \\\\" %in% lines)
  expect_true(" & -3 & \\verdictmark[a]{deviates} \\\\" %in% lines)
  expect_true("\\tablenote{a}{50 \\% less}" %in% lines)
  expect_true("{} & \\multicolumn{2}{c}{\\shortstack{$h$\\\\(kbit/s)}} \\\\" %in% lines)
  expect_true("\\cmidrule(lr){2-3}" %in% lines)
})

test_that("a text, or a number without a mark, has its note all the same", {
  table <- columns_to_table(list(list(heading = "x", cells = cells(c("live", "not"), note = c("a", "")))))
  expect_true("live & \\textsuperscript{a} \\\\" %in% tex_table(table))
  expect_match(paste(html_table(table), collapse = ""), "live</td><td class=\"tail\"><sup>a</sup></td>", fixed = TRUE)
})

test_that("what is exact has no interval, and says so", {
  numbers <- cells(c("96.44", "1.5"), c("exact", "0.2"), "reproduced")
  table <- columns_to_table(list(list(heading = "x", cells = numbers)))
  expect_true("96.44 & \\exact{}\\,\\verdictmark[]{reproduced} \\\\" %in% tex_table(table))
  page <- paste(html_table(table), collapse = "")
  expect_match(page, "<span class=\"interval\">exact</span>", fixed = TRUE)
  expect_match(page, "<span class=\"interval\">&plusmn;&#8201;0.2</span>", fixed = TRUE)
})

test_that("long tables are cut where a group starts, and every piece has the headings", {
  long <- table_of(data.table(a = rep(letters[1:10], each = 6), b = as.character(1:60)), c("A", "B"), groups = 1)
  expect_true(breaks_over_pages(list(long)))
  expect_equal(unname(lapply(tex_pieces(long), range)), list(c(1, 30), c(31, 60)))
  lines <- tex_table(long)
  expect_equal(sum(grepl("begin{tabular}", lines, fixed = TRUE)), 2)
  expect_equal(sum(lines == "{A} & {B} \\\\"), 2)
  expect_match(lines[which(lines == "\\midrule")[2] + 1], "^f & 31 ")
  ungrouped <- table_of(data.table(a = as.character(1:100)))
  expect_equal(unname(lengths(tex_pieces(ungrouped))), c(33, 34, 33))
})

test_that("a column that wraps has a width, and its table breaks over pages", {
  wrapping <- table_of(data.table(a = "1", b = "some words"), wrap = 2, share = 0.3)
  expect_match(tex_table(wrapping)[1], "\\begin{longtable*}{@{}D{.}{.}{1.0}>", fixed = TRUE)
  expect_match(tex_table(wrapping)[1], "p{0.3\\linewidth}", fixed = TRUE)
  expect_true(breaks_over_pages(list(wrapping)))
})

test_that("numbers with an exponent are typeset in LaTeX and HTML", {
  expect_equal(
    tex_numbers_of(c("1.5", "2.1e-5")), c("1.5", "\\multicolumn{1}{r}{2.1\\ensuremath{{}\\times10^{-5}}}")
  )
  expect_equal(html_text("(4.2 \u00b1 0.1)e-5"), "(4.2 \u00b1 0.1)&nbsp;&times;&nbsp;10<sup>\u22125</sup>")
})

test_that("HTML is well-formed and says what the cells say", {
  page <- html_page("A < B", c(html_table(shown_table()), html_legend(list(shown_table()))))
  document <- xml2::read_html(paste(page, collapse = "\n"))
  expect_equal(xml2::xml_text(xml2::xml_find_first(document, "//h1")), "A < B")
  cells <- trimws(xml2::xml_text(xml2::xml_find_all(document, "//tbody/tr/td")))
  expect_equal(cells, c("E & co", "562.84", "\u00b1\u20091.2 \u2713", "", "\u22123\u2008\u2007\u2007", "\u2717a"))
  expect_equal(xml2::xml_text(xml2::xml_find_all(document, "//ol/li")), "50 % less")
  legend <- xml2::xml_text(xml2::xml_find_first(document, "//p[@class='legend']"))
  expect_match(legend, "reproduced (within the tolerance)", fixed = TRUE)
})

test_that("decimal points stand below each other", {
  expect_equal(align_decimals(c("1.25", "30", "", "-2.5")), c("1.25", "30\u2008\u2007\u2007", "", "\u22122.5\u2007"))
})

test_that("tables are saved whole, as shown", {
  stem <- file.path(withr::local_tempdir(), "deep", "table")
  save_tables(list(shown_table(), shown_table()), stem, "Two")
  expect_equal(
    readLines(paste0(stem, ".csv"), encoding = "UTF-8"),
    rep(c("\"\",ours h (kbit/s)", "E & co,562.84 \u00b1 1.2 \u2713", "E & co,-3 \u2717[a]", ""), 2)[1:7]
  )
  expect_equal(sum(grepl("begin{tabular}", readLines(paste0(stem, ".tex")), fixed = TRUE)), 2)
  expect_setequal(list.files(dirname(stem), all.files = TRUE, no.. = TRUE), paste0("table.", c("csv", "html", "tex")))
})

test_that("a failed write leaves the old file and nothing else", {
  folder <- withr::local_tempdir()
  path <- file.path(folder, "out.tex")
  write_lines("old", path)
  expect_error(
    write_atomically(path, function(temporary) {
      cat("half", file = temporary)
      stop("disk on fire")
    }),
    "out.tex: cannot be written: disk on fire"
  )
  expect_equal(readLines(path), "old")
  expect_equal(list.files(folder, all.files = TRUE, no.. = TRUE), "out.tex")
})
