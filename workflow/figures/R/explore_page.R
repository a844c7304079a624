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
      htmltools::tags$section(id = "detail", tabindex = "-1", `aria-live` = "polite", `aria-label` = "What was chosen"),
      # plotly's script, for the curves, where there is no scatter.
      htmltools::tags$div(hidden = NA, plotly::plotly_empty(type = "scatter", mode = "markers", height = 1))
    )
  )
  told <- c(
    known[c("claims", "items", "points")], list(marks = as.list(verdict_marks), meanings = as.list(verdict_meanings))
  )
  json <- jsonlite::toJSON(told, auto_unbox = TRUE, null = "null", na = "null", digits = 8, force = TRUE)
  rendered <- htmltools::renderTags(content)
  styles <- c(html_style(), file_text(file.path(assets, "explore.css")))
  c(
    "<!DOCTYPE html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\">",
    "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
    "<link rel=\"icon\" href=\"data:,\">", "<title>TCP Atlas: explore</title>",
    inlined(htmltools::resolveDependencies(rendered$dependencies)), "<style>", styles, "</style>", rendered$head,
    "</head>", "<body>", rendered$html,
    "<script id=\"atlas\" type=\"application/json\">", in_script(json), "</script>",
    "<script>", file_text(file.path(assets, "explore.js")), "</script>", "</body>", "</html>"
  )
}

# The filters, the scatter and the table of all comparisons, which crosstalk keeps together.
explore_claims <- function(table) {
  shared <- crosstalk::SharedData$new(as.data.frame(table), key = table$claim, group = "claims")
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
    htmltools::tags$div(`aria-hidden` = "true", explore_scatter(shared, table)),
    htmltools::p(scatter_note(table)),
    htmltools::h2("All comparisons"),
    htmltools::tags$div(id = "numbers", explore_table(shared))
  )
}

shown_in_scatter <- function(table) {
  is.finite(table$printed) & is.finite(table$ours) & table$printed > 0 & table$ours > 0
}

scatter_note <- function(table) {
  absent <- sum(!shown_in_scatter(table))
  sprintf(
    "Both axes are logarithmic, in the unit of the printed number; on the line ours is the printed number. %d of %d %s",
    absent, nrow(table), "comparisons have no positive number on both sides and are in the table only."
  )
}

# A point for each comparison, in the colours and shapes of the scorecard. The table holds the same, by keyboard.
explore_scatter <- function(shared, table) {
  present <- verdicts[verdicts %in% table$verdict]
  ends <- range(c(table$printed, table$ours)[c(shown_in_scatter(table), shown_in_scatter(table))])
  plot <- plotly::plot_ly(shared, height = 460)
  plot$elementId <- "scatter"
  plot <- plotly::add_trace(
    plot,
    type = "scatter", mode = "markers", x = ~printed, y = ~ours, color = ~ factor(verdict, present),
    colors = unname(verdict_colours[present]), symbol = ~ factor(verdict, present),
    symbols = unname(plotly_symbols[present]), customdata = ~claim, hoverinfo = "text",
    text = ~ sprintf(
      "%s/%s: %s<br>%s<br>printed %s, ours %s, by %s: %s", paper, item, quantity, where, printed_text, ours_text,
      source, verdict
    ),
    marker = list(size = 7, opacity = 0.75)
  )
  axis <- function(title) list(title = title, type = "log", gridcolor = "#eaeaea", zeroline = FALSE)
  plot <- plotly::layout(
    plot,
    xaxis = axis("printed"), yaxis = axis("ours"), legend = list(orientation = "h", y = -0.2),
    margin = list(l = 55, r = 10, t = 10, b = 40), font = list(family = "Helvetica, Arial, sans-serif", size = 12),
    shapes = list(list(
      type = "line", x0 = ends[1], y0 = ends[1], x1 = ends[2], y1 = ends[2], layer = "below",
      line = list(color = "#888888", width = 1)
    ))
  )
  plot <- plotly::highlight(plot, on = NULL, off = NULL)
  plot <- plotly::config(plot, displayModeBar = FALSE)
  # Debian's plotly.js 1.31 knows no buttons by name, which plotly_build() adds.
  plot <- plotly::plotly_build(plot)
  plot$x$config$modeBarButtonsToAdd <- NULL
  plot
}

plotly_symbols <- c(
  reproduced = "circle", deviates = "triangle-up", undecided = "triangle-down-open", inconsistent = "square",
  "not-reproducible" = "square-open", unavailable = "x", smoke = "circle-open"
)

explore_table <- function(shared) {
  shown <- c(
    paper = "Paper", item = "Item", where = "At", quantity = "Quantity", printed = "Printed", ours = "Ours",
    verdict = "Verdict", source = "Ours from", claim = "More"
  )
  columns <- names(shared$origData())
  at <- function(name) match(name, columns) - 1L
  as_text <- function(column) {
    DT::JS(sprintf("(data, type, row) => type === 'display' ? row[%d] : data", at(column)))
  }
  DT::datatable(
    shared,
    rownames = FALSE, escape = FALSE, style = "default", selection = "none", elementId = "claims",
    colnames = ifelse(columns %in% names(shown), shown[columns], columns),
    options = list(
      pageLength = 15, lengthMenu = c(15, 50, 200), autoWidth = FALSE, deferRender = TRUE,
      order = list(list(at("paper"), "asc")),
      language = list(search = "Search:", info = "_START_ to _END_ of _TOTAL_ comparisons"),
      columnDefs = list(
        list(visible = FALSE, targets = at(setdiff(columns, names(shown)))),
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

# Nothing in a script may look like its end.
in_script <- function(text) gsub("</(script)", "<\\\\/\\1", text, ignore.case = TRUE)

# The scripts and styles of the widgets, in their order, as parts of the page. What styles would fetch (fonts, pictures)
# is left out, and so is a stand-in for typed arrays, which every browser has.
inlined <- function(dependencies) {
  wanted <- Filter(function(one) one$name != "typedarray", dependencies)
  unlist(lapply(wanted, function(one) {
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
