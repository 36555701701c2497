import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { ExternalLink } from './external-link.tsx'

test('renders a link if the URL is configured, and text otherwise', () => {
  const linked = renderToStaticMarkup(<ExternalLink to="https://example.org/us">Follow us</ExternalLink>)
  expect(linked).toContain('href="https://example.org/us"')
  const plain = renderToStaticMarkup(<ExternalLink to={undefined}>Follow us</ExternalLink>)
  expect(plain).not.toContain('<a')
  expect(plain).toContain('Follow us (not announced yet)')
  expect(plain).toContain('min-h-11')
  const inSentence = renderToStaticMarkup(
    <ExternalLink to={undefined} inSentence>
      Follow us
    </ExternalLink>,
  )
  expect(inSentence).not.toContain('min-h-11')
})
