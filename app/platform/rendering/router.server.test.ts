import { matchRoutes } from '@remix-run/react'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import routeConfig from '../../routes'
import { createRouter, type LazyBuild, type RouteModule } from './router.server'

/** The site's routes, with modules that contain their route's id, and the list of loaded modules. */
function siteRoutes() {
  const loads: string[] = []
  const entries = [{ file: 'root.tsx', path: '', index: undefined, parentId: undefined }, ...routeConfig]
  const routes = Object.fromEntries(
    entries.map(({ file, path, index }) => {
      const id = file.replace(/\.tsx?$/, '')
      const module = async () => {
        loads.push(id)
        return { default: () => id } as unknown as RouteModule
      }
      const isPage = file.endsWith('.tsx')
      return [id, { id, path, index, parentId: id === 'root' ? undefined : 'root', module, isPage }]
    }),
  ) as LazyBuild['routes']
  return { routes, loads }
}

const part = fc.constantFrom(
  '',
  '..',
  'about',
  'About',
  'voting',
  'cz-call.atom',
  'transparency',
  'log',
  'tile',
  'proof',
  'verify',
  'a%20b',
  '%2F',
  '_root.data',
  'é',
  '*',
  ':id',
)
const paths = fc.array(part, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`)

test('a path matches the same route as in Remix', () => {
  const { routes } = siteRoutes()
  const { match } = createRouter(routes)
  const children = Object.values(routes).filter(({ id }) => id !== 'root')
  const tree = [{ id: 'root', path: '', children }] as Parameters<typeof matchRoutes>[0]
  fc.assert(
    fc.property(paths, (path) => {
      const found = matchRoutes(tree, path === '/_root.data' ? '/' : path.replace(/\.data$/, ''))
      expect(match(path)).toBe(found?.at(-1)?.route.id)
    }),
    { numRuns: 500 },
  )
})

test('every route matches a path made from its own pattern', () => {
  const { paths, match } = createRouter(siteRoutes().routes)
  const found = paths.map(({ pattern }) => match(pattern.replace(/:\w+/g, 'a').replace('*', 'a/b')))
  expect(found).toEqual(paths.map(({ id }) => id))
})

test('a data request matches the route of its page, and an unreadable path matches the page for unknown URLs', () => {
  const { match } = createRouter(siteRoutes().routes)
  expect(match('/dashboard.data')).toBe('account/routes/dashboard/route')
  expect(match('/_root.data')).toBe('pages/routes/home/route')
  expect(match('/voting/%ZZ')).toBe('pages/routes/not-found')
})

test('a module is loaded once, together with the module of its parent route and no other module', async () => {
  const { routes, loads } = siteRoutes()
  const { load, loaded } = createRouter(routes)
  const before = loaded()
  const modules = await Promise.all([
    load('words/routes/about'),
    load('words/routes/about'),
    load('words/routes/risk'),
  ])
  expect(loads.sort()).toEqual(['root', 'words/routes/about', 'words/routes/risk'])
  expect(modules[0]).toBe(modules[1])
  expect(before['words/routes/about']?.module).toEqual({})
  expect(loaded()['words/routes/about']?.module).toBe(modules[0])
  expect(loaded()['pages/routes/voting/route']?.module).toEqual({})
})

test('a download is loaded without its parent route', async () => {
  const { routes, loads } = siteRoutes()
  await createRouter(routes).load('pages/routes/transparency.csv')
  expect(loads).toEqual(['pages/routes/transparency.csv'])
})

test('a loader with a module of its own is called before the module of the page is loaded, once for a request', async () => {
  const { routes } = siteRoutes()
  const called: string[] = []
  const loader = async ({ context }: { context: unknown }) => {
    called.push('loader')
    return { of: context }
  }
  const parts = { loader, default: () => null } as unknown as RouteModule
  const page = routes['pages/routes/home/route'] as (typeof routes)[string]
  const root = routes.root as (typeof routes)[string]
  page.module = async () => {
    called.push('page')
    return parts
  }
  page.loader = async () => ({ loader }) as never
  root.module = async () => ({ ...parts, loader: async () => 'of the root' }) as unknown as RouteModule
  const router = createRouter(routes)
  const load = async (context: object) => {
    const args = { request: new Request('https://site.example'), params: {}, context } as never
    await router.begin(page.id, args)
    await router.load(page.id)
    const own = router.lineage(page.id)
    return Promise.all([own.root?.module.loader?.(args), own[page.id]?.module.loader?.(args)])
  }
  const [first, second] = [{}, {}]
  expect(await load(first)).toEqual(['of the root', { of: first }])
  expect(called).toEqual(['loader', 'page'])
  expect(await load(second)).toEqual(['of the root', { of: second }])
  expect(called).toEqual(['loader', 'page', 'loader'])
  expect(Object.keys(router.lineage(page.id)[page.id] ?? {})).not.toContain('loader')
})

test('Remix gets the error of a loader that was called early', async () => {
  const { routes } = siteRoutes()
  const loader = async () => {
    throw new Error('no rows')
  }
  const page = routes['pages/routes/home/route'] as (typeof routes)[string]
  page.module = async () => ({ loader }) as unknown as RouteModule
  page.loader = async () => ({ loader }) as never
  const router = createRouter(routes)
  const args = { request: new Request('https://site.example'), params: {}, context: {} } as never
  await router.begin(page.id, args)
  await router.load(page.id)
  await expect(router.lineage(page.id)[page.id]?.module.loader?.(args)).rejects.toThrow('no rows')
})
