/** A second factor as its owner sees it: an app that shows codes. */
export interface Factor {
  id: string
  name: string
  addedAt: string | null
}

/** A factor being set up. The picture and the secret are told once: until the first code they travel with the form. */
export interface Enrolment {
  factorId: string
  name: string
  qr: string
  secret: string
  uri: string
}
