import { Icon } from './icon'

/** A copy button. A quiet one stands within small print. Script puts it there (enhance/copying.ts); until then its place is kept, and empty. */
export function Copy({ text, what, quiet = false }: { text: string; what: string; quiet?: boolean }) {
  return (
    <span className={`copy invisible ${quiet ? 'copy-quiet' : ''}`} data-copy={text}>
      <Icon name="copy" size={18} />
      <span>
        Copy<span className="sr-only"> {what}</span>
      </span>
    </span>
  )
}
