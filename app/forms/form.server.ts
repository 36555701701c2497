/** Names like those of our fields. The form library reads others as paths, lists, commands or inherited methods. */
const isPlainName = (name: string) => /^[a-z][a-z_]*$/i.test(name) && !(name in Object.prototype)

/**
 * Reads the fields of a posted form as text. Drops files, fields without a plain name, and all but the first value of a
 * name. Throws a 400 response if the body is not a form.
 */
export async function readForm(request: Request): Promise<FormData> {
  const fields = new Map<string, string>()
  try {
    for (const [name, value] of await request.formData())
      if (typeof value === 'string' && isPlainName(name) && !fields.has(name)) fields.set(name, value)
  } catch {
    throw new Response(null, { status: 400, statusText: 'Bad Request' })
  }
  const form = new FormData()
  for (const [name, value] of fields) form.set(name, value)
  return form
}
