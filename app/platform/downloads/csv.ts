/** The line break of CSV rows (RFC 4180). */
const lineEnd = '\r\n'

/** One line of a CSV file. Numbers are not quoted; null is an empty field. */
export function csvLine(fields: readonly (string | number | null)[]): string {
  return (
    fields.map((field) => (typeof field === 'string' ? textField(field) : (field ?? ''))).join(',') + lineEnd
  )
}

/**
 * A text field, escaped against spreadsheet formulas, and quoted if RFC 4180 requires quotes or if the text
 * contains a semicolon or a tab, which some spreadsheets read as a separator.
 */
function textField(text: string): string {
  const plain = neutralise(text)
  return /[",;\t\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/**
 * Puts an apostrophe before a character that begins a formula: at the start of the text, even after quotes
 * and spaces, and after each character at which a spreadsheet may start a new cell (tab, semicolon, quote or
 * line break). Also escapes a leading tab or line break, because some spreadsheets remove it and parse the
 * rest.
 */
function neutralise(text: string): string {
  return text
    .replace(/(^['"\s]*|["\t\r\n;][^\S\t\r\n]*)(?=[=+\-@＝＋－＠])/g, "$1'")
    .replace(/^[\t\r\n]/, "'$&")
}
