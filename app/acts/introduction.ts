/** What an operator says about themselves. */
export interface Introduction {
  name: string
  role: string
  holdsKey: boolean
  /** An https link. */
  link: string | undefined
}

/** What the database function perform_introduction writes for an operator who holds a key. */
const holdsKey = 'Holds a key of our wallets.'

/** Reads the text of an introduction, with one fact a line. */
export function readIntroduction(text: string): Introduction | null {
  const [name, role, keys, link] = text.split('\n')
  return name && role && keys ? { name, role, holdsKey: keys === holdsKey, link } : null
}
