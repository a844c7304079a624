# Common parts of the commands of this folder: options, one-line errors, exit status.

# Stops with a user error, in one line.
abort_with <- function(...) {
  stop(errorCondition(sprintf(...), class = "plain_error", call = NULL))
}

one_line <- function(condition) {
  gsub("\\s+", " ", trimws(conditionMessage(condition)))
}

# Parses the command line; every option is required unless it has a default.
parse_options <- function(options, description) {
  parser <- optparse::OptionParser(option_list = options, description = description)
  parsed <- tryCatch(
    optparse::parse_args(parser),
    error = function(error) abort_with("%s; --help lists the options", one_line(error)),
    warning = function(warning) abort_with("%s; --help lists the options", one_line(warning))
  )
  for (option in options) {
    if (is.null(parsed[[option@dest]])) {
      abort_with("%s is missing; --help lists the options", option@long_flag)
    }
  }
  parsed
}

# Runs a command's function; an error becomes one line on standard error and exit status 1.
run_command <- function(command, figures) {
  tryCatch(command(figures), error = function(error) {
    cat(one_line(error), "\n", sep = "", file = stderr())
    quit(status = 1, save = "no")
  })
  invisible()
}
