import * as z from 'zod/mini'

/** The fields of an auth user that this site reads. The client library does not validate them. */
export const userSchema = z.object({ id: z.string().check(z.minLength(1)), email: z.optional(z.string()) })
