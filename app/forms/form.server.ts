/** What our fields are called. To the form library other names are paths, lists, commands and inherited methods. */
const isPlainName = (name: string) => /^[a-z][a-z_]*$/i.test(name) && !(name in Object.prototype)

/**
 * The fields of a posted form: each once, as text. A file where text is due, a second value of a field and a name
 * that no form of ours has are left out. Throws a 400 page for a body that is no form.
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
