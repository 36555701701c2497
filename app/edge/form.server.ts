/** The fields of a posted form. Throws a 400 page for a body that is not one. */
export async function readForm(request: Request): Promise<FormData> {
  try {
    return await request.formData()
  } catch {
    throw new Response(null, { status: 400, statusText: 'Bad Request' })
  }
}
