import { Icon } from './icon'

/** A copy button. Script puts it there (enhance/copying.ts); until then its place is kept, and empty. */
export function Copy({ text, what }: { text: string; what: string }) {
  return (
    <span className="copy invisible" data-copy={text}>
      <Icon name="copy" size={18} />
      <span>
        Copy<span className="sr-only"> {what}</span>
      </span>
    </span>
  )
}
