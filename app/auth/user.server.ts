import * as z from 'zod'

/** The fields of an auth user that this site reads. The client library does not validate them. */
export const userSchema = z.object({ id: z.string().min(1), email: z.string().optional() })
