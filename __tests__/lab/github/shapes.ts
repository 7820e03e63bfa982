/** Full answers, as the published description requires them. */

/** Fields of a run or a job that nothing here reads. */
export function template(kind: 'run' | 'job', url: string): Record<string, unknown> {
  if (kind === 'job')
    return {
      run_url: url,
      node_id: 'J',
      head_sha: 'a'.repeat(40),
      url,
      html_url: url,
      check_run_url: url,
      workflow_name: 'ci',
      head_branch: 'main',
    }
  const at = new Date().toISOString()
  const repository = repositoryTemplate(url)
  return {
    name: 'ci',
    node_id: 'R',
    head_branch: 'main',
    head_sha: 'a'.repeat(40),
    path: '.github/workflows/ci.yml',
    display_title: 'ci',
    run_number: 1,
    event: 'push',
    workflow_id: 1,
    check_suite_id: 1,
    check_suite_node_id: 'C',
    url,
    html_url: url,
    pull_requests: [],
    created_at: at,
    updated_at: at,
    run_started_at: at,
    jobs_url: url,
    logs_url: url,
    check_suite_url: url,
    artifacts_url: url,
    cancel_url: url,
    rerun_url: url,
    workflow_url: url,
    previous_attempt_url: null,
    head_commit: null,
    repository,
    head_repository: repository,
  }
}

export function repositoryTemplate(url: string): Record<string, unknown> {
  const owner = Object.fromEntries(
    [
      'avatar_url',
      'events_url',
      'followers_url',
      'following_url',
      'gists_url',
      'html_url',
      'organizations_url',
      'received_events_url',
      'repos_url',
      'starred_url',
      'subscriptions_url',
      'url',
    ].map((name) => [name, url]),
  )
  const urls = [
    'archive_url',
    'assignees_url',
    'blobs_url',
    'branches_url',
    'collaborators_url',
    'comments_url',
    'commits_url',
    'compare_url',
    'contents_url',
    'contributors_url',
    'deployments_url',
    'downloads_url',
    'events_url',
    'forks_url',
    'git_commits_url',
    'git_refs_url',
    'git_tags_url',
    'hooks_url',
    'html_url',
    'issue_comment_url',
    'issue_events_url',
    'issues_url',
    'keys_url',
    'labels_url',
    'languages_url',
    'merges_url',
    'milestones_url',
    'notifications_url',
    'pulls_url',
    'releases_url',
    'stargazers_url',
    'statuses_url',
    'subscribers_url',
    'subscription_url',
    'tags_url',
    'teams_url',
    'trees_url',
    'url',
  ]
  return {
    ...Object.fromEntries(urls.map((name) => [name, url])),
    id: 1,
    node_id: 'P',
    name: 'hello',
    full_name: 'octo/hello',
    private: true,
    fork: false,
    description: null,
    owner: { ...owner, login: 'octo', id: 1, node_id: 'O', gravatar_id: null, type: 'User', site_admin: false },
  }
}

/** The answer for a single repository. */
export function fullRepository(url: string, open: boolean): Record<string, unknown> {
  const at = new Date().toISOString()
  const texts = ['clone_url', 'git_url', 'ssh_url', 'svn_url', 'homepage', 'mirror_url'].map((name) => [name, url])
  const numbers = [
    'forks',
    'forks_count',
    'open_issues',
    'open_issues_count',
    'size',
    'stargazers_count',
    'watchers',
    'watchers_count',
    'network_count',
    'subscribers_count',
  ].map((name) => [name, 0])
  const flags = ['has_issues', 'has_projects', 'has_wiki', 'has_pages', 'has_downloads', 'has_discussions', 'archived', 'disabled'].map(
    (name) => [name, false],
  )
  return {
    ...repositoryTemplate(url),
    ...Object.fromEntries([...texts, ...numbers, ...flags]),
    default_branch: 'main',
    language: null,
    license: null,
    private: !open,
    visibility: open ? 'public' : 'private',
    pushed_at: at,
    created_at: at,
    updated_at: at,
  }
}

/** A release of the runner program with one file. */
export function release(url: string, version: string, file: { readonly name: string; readonly digest: string | null }, at: Date): unknown {
  const urls = ['assets_url', 'upload_url', 'tarball_url', 'zipball_url', 'html_url', 'url'].map((name) => [name, url])
  const { owner } = repositoryTemplate(url) as { owner: object }
  const when = { created_at: at.toISOString(), updated_at: at.toISOString() }
  const asset = { id: 1, node_id: 'A', url, content_type: 'application/gzip', size: 1, state: 'uploaded', download_count: 0, label: null }
  return {
    ...Object.fromEntries(urls),
    id: 1,
    node_id: 'R',
    name: version,
    tag_name: `v${version}`,
    target_commitish: 'main',
    draft: false,
    prerelease: false,
    author: owner,
    ...when,
    published_at: at.toISOString(),
    assets: [{ ...asset, ...file, ...when, uploader: owner, browser_download_url: `${url}/download/runner.tar.gz` }],
  }
}

/** An App's installation. */
export function installation(url: string, id: number, permissions: Readonly<Record<string, string>>): Record<string, unknown> {
  const at = new Date().toISOString()
  const { owner } = repositoryTemplate(url) as { owner: object }
  const urls = ['access_tokens_url', 'html_url', 'repositories_url'].map((name) => [name, url])
  return {
    ...Object.fromEntries(urls),
    id,
    account: owner,
    app_id: 1,
    app_slug: 'runners',
    target_id: 1,
    target_type: 'User',
    permissions,
    events: [],
    single_file_name: null,
    repository_selection: 'selected',
    created_at: at,
    updated_at: at,
    suspended_by: null,
    suspended_at: null,
  }
}
