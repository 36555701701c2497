/** A TOTP factor, with the fields that its owner may see. */
export interface Factor {
  id: string
  name: string
  addedAt: string | null
}

/** A factor that is being set up: the form keeps the secret, which is sent once, until the first code. */
export interface Enrolment {
  factorId: string
  name: string
  qr: string
  secret: string
  uri: string
}
