/** A TOTP factor, with the fields that its owner may see. */
export interface Factor {
  id: string
  name: string
  addedAt: string | null
}

/**
 * A factor that is being set up. The service sends the secret once, so the form contains the secret until the
 * first code is verified.
 */
export interface Enrolment {
  factorId: string
  name: string
  qr: string
  secret: string
  uri: string
}
