/** A toast: a title and a text. `destructive`: shown as an error. */
export interface Notice {
  title: string
  text: string
  destructive?: boolean
}
