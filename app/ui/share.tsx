import { Icon } from './icon'

/**
 * A link to a page's own address. Script turns it into the browser's share sheet, or copies the title and the
 * address where there is none (enhance/sharing.ts).
 */
export function Share({ title, url }: { title: string; url: string }) {
  return (
    <p className="no-print">
      <a href={url} className="button" data-share={title}>
        <Icon name="away" size={18} />
        Share<span className="sr-only"> {title}</span>
      </a>
    </p>
  )
}
