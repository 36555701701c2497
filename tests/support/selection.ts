/**
 * Returns the body in the form in which PostgREST returns it for the `select` of a URL, which may rename
 * columns ('txHash:tx_hash'). The body is a row, an array of rows, or an error, which is returned unchanged.
 * Columns that the body lacks are omitted.
 */
export function selected(body: unknown, { searchParams }: URL): unknown {
  const columns = searchParams.get('select')?.split(',')
  if (!columns || columns.includes('*')) return body
  const select = (row: Record<string, unknown>) =>
    Object.fromEntries(
      columns.flatMap((name) => {
        const [key = '', column = key] = name.split(':')
        return column in row ? [[key, row[column]]] : []
      }),
    )
  return Array.isArray(body) ? body.map(select) : select(body as Record<string, unknown>)
}
