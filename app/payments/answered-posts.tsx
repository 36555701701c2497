import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { When } from '../platform/ui/when'
import { EnglishWords } from '../platform/ui/words'
import type { AnsweredPosts } from './answered-posts.server'

/** Which of the last posts of its source a rule would have answered. */
export function AnsweredPostsSheet({ answered: { many, posts } }: { answered: AnsweredPosts }) {
  const { t } = useLingui()
  return (
    <section className="sheet mt-6 max-w-3xl" aria-labelledby="answered-posts">
      <h2 id="answered-posts" className="text-xl">{t`Posts with these words`}</h2>
      <p className="mt-2">
        {many === 0
          ? t`No post of this source is stored, so nothing could be compared.`
          : t`${plural(posts.length, { one: '# post', other: '# posts' })} of the last ${many} of this source would have made an order.`}
      </p>
      {posts.length > 0 && (
        <ul className="mt-4 grid gap-2">
          {posts.map(({ id, url, author, posted_at }) => (
            <li key={id} className="wrap-anywhere">
              {author && <EnglishWords>{author}</EnglishWords>}
              {posted_at && (
                <>
                  {' '}
                  <Trans comment="After the author of a post: when it was written">
                    on <When date={posted_at} day />
                  </Trans>
                </>
              )}
              {url && (
                <>
                  {': '}
                  <a href={url} className="link" rel="noopener nofollow">
                    {url}
                  </a>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
