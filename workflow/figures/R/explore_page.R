# results/explore.html: one page with all that it needs inside, which loads nothing.

explore_page <- function(known, provenance, assets) {
  content <- htmltools::tagList(
    htmltools::tags$header(
      htmltools::h1("TCP Atlas: every printed number beside ours"),
      htmltools::p(sprintf("Version %s, scale %s, seed %s.", provenance$tcp_atlas, provenance$scale, provenance$seed))
    ),
    htmltools::tags$main(
      if (nrow(known$table) > 0) explore_claims(known$table),
      htmltools::tags$section(
        htmltools::h2("Figures and tables"),
        htmltools::tags$label(`for` = "items", "Figure or table: "), htmltools::tags$select(id = "items")
      ),
      htmltools::tags$section(id = "detail", tabindex = "-1", `aria-label` = "What was chosen")
    )
  )
  told <- c(
    known[c("claims", "items", "points")],
    list(
      columns = names(known$table), looks = verdict_looks(), marks = as.list(verdict_marks),
      meanings = as.list(verdict_meanings)
    )
  )
  json <- jsonlite::toJSON(told, auto_unbox = TRUE, null = "null", na = "null", digits = 8, force = TRUE)
  rendered <- htmltools::renderTags(content)
  styles <- c(html_style(), file_text(file.path(assets, "explore.css")))
  c(
    "<!DOCTYPE html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\">",
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
    "<link rel=\"icon\" href=\"data:,\">", "<title>TCP Atlas: explore</title>",
    inlined(htmltools::resolveDependencies(rendered$dependencies)),
    "<script>", in_script(file_text(plotly_script())), "</script>", "<style>", styles, "</style>", rendered$head,
    "</head>", "<body>", rendered$html,
    "<script id=\"atlas\" type=\"application/json\">", in_script(json), "</script>",
    "<script>", file_text(file.path(assets, "explore.js")), "</script>", "</body>", "</html>"
  )
}

# The filters, the scatter and the table of all comparisons; the page's script keeps them together.
explore_claims <- function(table) {
  filter <- function(column, label) {
    id <- paste0("filter-", column)
    choices <- lapply(sort(unique(table[[column]])), function(one) htmltools::tags$option(value = one, one))
    htmltools::tags$label(label, htmltools::tags$select(
      id = id, class = "filter", `data-column` = column, htmltools::tags$option(value = "", "all"), choices
    ))
  }
  htmltools::tags$section(
    htmltools::p(paste(
      "Choose numbers by the filters or the search; a click on one leads to its figure or table, its scenario,",
      "tolerance, reason and seed, and to the command that makes it again. Every printed number is here once for each",
      "engine or model that answers it; the one of the best-placed counts."
    )),
    htmltools::tags$div(
      class = "filters", filter("paper", "Paper"), filter("item", "Item"), filter("verdict", "Verdict"),
      filter("source", "Ours from"), filter("kind", "Printed as"), filter("counted", "Counts")
    ),
    htmltools::h2("Printed against ours"),
    # The table holds the same, by keyboard.
    htmltools::tags$div(id = "scatter", `aria-hidden` = "true"),
    htmltools::p(id = "scatter-note"),
    htmltools::h2("All comparisons"),
    htmltools::tags$div(id = "numbers", explore_table(table))
  )
}

# The looks of the scorecard, in plotly's words.
verdict_looks <- function() {
  symbols <- c(
    reproduced = "circle", deviates = "triangle-up", undecided = "triangle-down-open", inconsistent = "square",
    "not-reproducible" = "square-open", unavailable = "x", smoke = "circle-open"
  )
  lapply(stats::setNames(nm = verdicts), function(one) list(colour = verdict_colours[[one]], symbol = symbols[[one]]))
}

explore_table <- function(table) {
  shown <- c(
    paper = "Paper", item = "Item", where = "At", quantity = "Quantity", printed = "Printed", ours = "Ours",
    verdict = "Verdict", source = "Ours from", claim = "More"
  )
  columns <- names(table)
  at <- function(name) match(name, columns) - 1L
  as_text <- function(column) {
    DT::JS(sprintf("(data, type, row) => type === 'display' ? row[%d] : data", at(column)))
  }
  DT::datatable(
    as.data.frame(table),
    rownames = FALSE, escape = FALSE, style = "default", selection = "none", elementId = "claims",
    colnames = ifelse(columns %in% names(shown), shown[columns], columns),
    options = list(
      pageLength = 15, lengthMenu = c(15, 50, 200), autoWidth = FALSE, deferRender = TRUE,
      order = list(list(at("paper"), "asc")),
      language = list(search = "Search:", info = "_START_ to _END_ of _TOTAL_ comparisons"),
      columnDefs = list(
        list(visible = FALSE, targets = at(setdiff(columns, names(shown)))),
        list(className = "wide-screen", targets = at(c("paper", "where", "source"))),
        list(render = as_text("printed_text"), targets = at("printed")),
        list(render = as_text("ours_text"), targets = at("ours")),
        list(render = DT::JS(
          "(data, type) => type === 'display' ? `<span class=\"${data}\">${atlas.marks[data]} ${data}</span>` : data"
        ), targets = at("verdict")),
        list(render = DT::JS(
          "(data, type) => type === 'display' ? `<a href=\"#${encodeURIComponent(data)}\">show</a>` : data"
        ), orderable = FALSE, targets = at("claim"))
      )
    )
  )
}

# ---- into one file ----

file_text <- function(path) paste(readLines(path, encoding = "UTF-8", warn = FALSE), collapse = "\n")

plotly_script <- function() {
  system.file("htmlwidgets/lib/plotlyjs/plotly-latest.min.js", package = "plotly", mustWork = TRUE)
}

# Nothing in a script may look like its end.
in_script <- function(text) gsub("</(script)", "<\\\\/\\1", text, ignore.case = TRUE)

# The scripts and styles of the table, in their order, as parts of the page. What styles would fetch (fonts, pictures)
# is left out.
inlined <- function(dependencies) {
  unlist(lapply(dependencies, function(one) {
    folder <- if (!is.null(one$src$file)) one$src$file else one$src$href
    if (!is.null(one$package)) {
      folder <- system.file(folder, package = one$package)
    }
    files <- function(entries) {
      names <- vapply(entries, function(entry) if (is.list(entry)) entry$src else entry, "")
      file.path(folder, unlist(names))
    }
    c(
      unlist(lapply(files(one$stylesheet), function(path) {
        c("<style>", gsub("url\\((?!['\"]?data:)[^)]*\\)", "none", file_text(path), perl = TRUE), "</style>")
      })),
      unlist(lapply(files(one$script), function(path) c("<script>", in_script(file_text(path)), "</script>"))),
      one$head
    )
  }))
}
