import { index, type RouteConfig, route } from '@remix-run/route-config'

export default [
  index('routes/home.tsx'),
  route('cz-call', 'routes/cz-call.tsx'),
  route('voting', 'routes/voting.tsx', [route(':pool', 'routes/voting.pool.tsx')]),
  route('giveback', 'routes/giveback.tsx', [route(':campaign', 'routes/giveback.campaign.tsx')]),
  route('transparency', 'routes/transparency.tsx'),
  route('about', 'routes/about.tsx'),
  route('risk', 'routes/risk.tsx'),
  route('privacy', 'routes/privacy.tsx'),
  route('terms', 'routes/terms.tsx'),
  route('contact', 'routes/contact.tsx'),
  route('sitemap.xml', 'routes/sitemap.ts'),
  route('robots.txt', 'routes/robots.ts'),
  route('auth', 'routes/auth.tsx'),
  route('auth/confirm', 'routes/auth.confirm.tsx'),
  route('auth/session', 'routes/auth.session.ts'),
  route('auth/sign-out', 'routes/auth.sign-out.ts'),
  route('dashboard', 'routes/dashboard.tsx'),
  route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig
