/** A toast: a title and one sentence. */
export interface Notice {
  title: string
  text: string
  destructive?: boolean
}
