/** Rows of a CSV end so (RFC 4180). */
const lineEnd = '\r\n'

/** One line of a CSV. A number stands as it is; null is an empty field. */
export function csvLine(fields: readonly (string | number | null)[]): string {
  return (
    fields.map((field) => (typeof field === 'string' ? textField(field) : (field ?? ''))).join(',') + lineEnd
  )
}

/** A text, so that a spreadsheet takes no part of it for a formula, and in quotes where RFC 4180 wants them. */
function textField(text: string): string {
  const plain = neutralise(text)
  return /[",;\t\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/**
 * Puts an apostrophe before a sign that begins a formula: at the start of the text, also behind quotes and
 * spaces, and wherever a spreadsheet that splits at tabs, semicolons, quotes or line ends would start a cell.
 * A text must not start with a tab or a line end either: some drop those, and then read what follows.
 */
function neutralise(text: string): string {
  return text
    .replace(/(^['"\s]*|["\t\r\n;][^\S\t\r\n]*)(?=[=+\-@＝＋－＠])/g, "$1'")
    .replace(/^[\t\r\n]/, "'$&")
}
