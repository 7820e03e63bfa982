/** README.md and docs/ as a site with a search, by VitePress. The build fails if a link leads to a page that does not exist. */
import { join } from 'node:path'
import { defineConfig } from 'vitepress'

const REPOSITORY = 'https://github.com/iterative/tpi-action'

/** All pages, in the order in which somebody new reads them. */
const PAGES = {
  'Get started': {
    'What it is': '/',
    'Train in a workflow': '/docs/github-actions',
    'From a laptop': '/docs/command-line',
    Runners: '/docs/runners',
    'When machines are taken away': '/docs/checkpoints',
    'Several machines': '/docs/several-machines',
    'Spot machines': '/docs/spot',
    Cost: '/docs/cost',
    Security: '/docs/security',
    GitLab: '/docs/gitlab',
  },
  Clouds: {
    Kubernetes: '/docs/kubernetes',
    AWS: '/docs/aws',
    'Google Cloud': '/docs/gcp',
    Azure: '/docs/azure',
    'Cloud machines': '/docs/machines',
    'Several regions': '/docs/regions',
    'What the tests prove': '/docs/proven',
    Storage: '/docs/storage',
    Permissions: '/docs/permissions',
  },
  'Look up': {
    'All options': '/docs/options',
    Troubleshooting: '/docs/troubleshooting',
    'What survives what': '/docs/recovery',
    Snapshots: '/docs/snapshots',
    'Kubernetes, in detail': '/docs/kubernetes-reference',
    'AWS, in detail': '/docs/aws-reference',
    'Storage, in detail': '/docs/storage-reference',
    'Security, in detail': '/docs/security-reference',
    'Runners: limits and files': '/docs/runners-limits',
    'From TPI and CML': '/docs/migration',
    Changes: '/CHANGELOG',
  },
  'The code': {
    Architecture: '/docs/architecture',
    Decisions: '/docs/decisions',
    'How to extend it': '/docs/extending',
    'How the tests work': '/docs/testing',
    Contributing: '/CONTRIBUTING',
  },
}

const sidebar = Object.entries(PAGES).map(([text, pages]) => ({
  text,
  items: Object.entries(pages).map(([title, link]) => ({ text: title, link })),
}))

/** Links to files that are no page of the site (a workflow, a template, a licence) lead to the repository. */
function linksToFiles(markdown) {
  const render = markdown.renderer.rules.link_open ?? ((tokens, index, options, _env, self) => self.renderToken(tokens, index, options))
  markdown.renderer.rules.link_open = (tokens, index, options, env, self) => {
    const href = tokens[index].attrGet('href') ?? ''
    const page = /^(?:[a-z]+:|#|\/)/i.test(href) || /(?:\.md|\/)(?:#.*)?$/.test(href)
    if (!page) {
      const here = new URL(env.relativePath === 'index.md' ? 'README.md' : env.relativePath, `${REPOSITORY}/blob/main/`)
      tokens[index].attrSet('href', new URL(href, here).href)
    }
    return render(tokens, index, options, env, self)
  }
}

/** In the examples, `{{ … }}` is a part of GitHub's expressions. Vue would compute it. */
function noExpressions(markdown) {
  markdown.renderer.rules.text = (tokens, index) => markdown.utils.escapeHtml(tokens[index].content).replaceAll('{{', '&#123;&#123;')
}

export default defineConfig({
  title: 'tpi',
  description: 'Cloud machines for CI jobs and laptops, always given back',
  srcDir: '..',
  // Other Markdown files belong to tests, to packages, or to the forge.
  srcExclude: ['site/**', '__tests__/**', 'build/**', 'demo-output/**', '.*/**', 'examples/**/data/**'],
  rewrites: { 'README.md': 'index.md' },
  outDir: '../build/site',
  cacheDir: '../build/site-cache',
  cleanUrls: true,
  // The pages are outside this folder, but the packages are in it.
  vite: { resolve: { alias: { vue: join(import.meta.dirname, '../node_modules/vue') } }, esbuild: { tsconfigRaw: '{}' } },
  markdown: {
    config(markdown) {
      linksToFiles(markdown)
      noExpressions(markdown)
    },
  },
  themeConfig: { search: { provider: 'local' }, sidebar, outline: [2, 3], socialLinks: [{ icon: 'github', link: REPOSITORY }] },
})
