test_that("a label is typeset for each of its readers", {
  label <- "load $\\rho_0$ & $W_R$ of $\\mathrm{RTT}_{max}$"
  expect_equal(tex_label(label), "load $\\rho_0$ \\& $W_R$ of $\\mathrm{RTT}_{\\mathrm{max}}$")
  expect_equal(html_label(label), "load \u03c1<sub>0</sub> &amp; <i>W</i><sub>R</sub> of RTT<sub>max</sub>")
  expect_equal(plain_label(label), "load \u03c1_0 & W_R of RTT_max")
  expect_equal(plot_label("a $W_R$"), "paste(\"a \", italic(W)[\"R\"])")
})

test_that("plot labels are valid expressions", {
  for (label in c("plain", "$h$ (kbit/s)", "$P(Q>x)$", "$h_{(2)}$ \"quoted\"", "$m'$", "$\\rho \\le 1$")) {
    expect_length(plot_expression(label), 1)
  }
})

test_that("an unknown symbol is an error", {
  expect_error(html_label("$\\unknown$"), "no symbol known for \\unknown", fixed = TRUE)
})

test_that("dollars from outside stay dollars", {
  text <- literal("costs $5 or $W_R$")
  expect_equal(tex_label(text), "costs \\$5 or \\$W\\_R\\$")
  expect_equal(html_label(text), "costs $5 or $W_R$")
  expect_equal(plain_label(text), "costs $5 or $W_R$")
})

test_that("text is safe in LaTeX", {
  expect_equal(tex_escape("50 % of {a_b} #1 ~ ^ \\"), paste0(
    "50 \\% of \\{a\\_b\\} \\#1 \\textasciitilde{} \\textasciicircum{} \\textbackslash{}"
  ))
  expect_equal(tex_escape("\u03c1\u2080 \u2264"), "\\ensuremath{\\rho}\\ensuremath{_0} \\ensuremath{\\le}")
  expect_equal(tex_escape("x\u00b2"), "x\\ensuremath{^2}")
  expect_equal(tex_escape("caf\u00e9 \u4e2d"), "caf\u00e9 ?")
  expect_equal(tex_escape(NA), "")
})

test_that("text is safe in HTML", {
  expect_equal(html_escape("a < b & \"c\" > d"), "a &lt; b &amp; &quot;c&quot; &gt; d")
})

test_that("symbols that a text names are typeset, and nothing else is", {
  expect_equal(literal("W_R 44, rho_0 and w_max"), "$W_{R}$ 44, $\\rho_{0}$ and $w_{max}$")
  expect_equal(literal("ON_0 at RTT_0"), "$\\mathrm{ON}_{0}$ at $\\mathrm{RTT}_{0}$")
  expect_equal(html_label(literal("W_R < 44")), "<i>W</i><sub>R</sub> &lt; 44")
  expect_equal(plain_label(literal("W_R, P(Q > x)")), "W_R, P(Q > x)")
  for (text in c("goodput_per_connection", "docs/decisions/a_b.md", "x86_64", "some_of it")) {
    expect_equal(plain_label(literal(text)), text)
  }
  expect_equal(literal("loss_ratio and x86_64"), "loss_ratio and x86_64")
})

test_that("a letter may have a tilde", {
  label <- "size $\\tilde{B}_0$"
  expect_equal(html_label(label), "size <i>B\u0303</i><sub>0</sub>")
  expect_equal(plain_label(label), "size B\u0303_0")
  expect_equal(plot_label(label), "paste(\"size \", tilde(italic(B))[\"0\"])")
  expect_equal(tex_label(label), "size $\\tilde{B}_0$")
  expect_equal(math_html(plot_expression(label)), "size <i>B</i>\u0303<sub>0</sub>")
})

test_that("the captions and labels of all items are typeset for every reader", {
  files <- Sys.glob(file.path(dirname(dirname(figures)), "scenarios", "*", "*", "items.yaml"))
  expect_gt(length(files), 5)
  for (file in files) {
    read <- yaml::read_yaml(file)
    texts <- unlist(c(lapply(read$items, `[[`, "caption"), read$labels))
    for (text in texts) {
      expect_no_error(c(html_label(text), plain_label(text), tex_label(text), plot_expression(text)))
    }
  }
})
