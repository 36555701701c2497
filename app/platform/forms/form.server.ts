/** True for our field names. The form library reads others as paths, lists, commands or methods. */
const isPlainName = (name: string) => /^[a-z][a-z_]*$/i.test(name) && !(name in Object.prototype)

/**
 * Reads the fields of a posted form as text. Drops files, fields without a plain name, and all values of a
 * name except the first; those of `list` are joined with spaces. Throws a 400 response if the body is not a form.
 */
export async function readForm(request: Request, list?: string): Promise<FormData> {
  return plainFields(await parseForm(request), list)
}

/** Like `readForm`, with the file of the field `name`; `file` is null if the form has no such file. */
export async function readFormWithFile(
  request: Request,
  name: string,
): Promise<{ form: FormData; file: File | null }> {
  const sent = await parseForm(request)
  const file = sent.get(name)
  return { form: plainFields(sent), file: file instanceof File ? file : null }
}

async function parseForm(request: Request): Promise<FormData> {
  try {
    return await request.formData()
  } catch {
    throw new Response(null, { status: 400, statusText: 'Bad Request' })
  }
}

function plainFields(sent: FormData, list?: string): FormData {
  const fields = new Map<string, string>()
  for (const [name, value] of sent) {
    if (typeof value !== 'string' || !isPlainName(name)) continue
    if (!fields.has(name)) fields.set(name, value)
    else if (name === list) fields.set(name, `${fields.get(name)} ${value}`)
  }
  const form = new FormData()
  for (const [name, value] of fields) form.set(name, value)
  return form
}
