/** Makes the relative links and pictures of a Markdown text lead to a repository on GitHub, as it was at a tag. */
export function absoluteLinks(markdown: string, repository: string, tag: string): string {
  const name = repository.replace(/^git\+https:\/\/github\.com\//, '').replace(/\.git$/, '')
  const page = (path: string) => `https://github.com/${name}/blob/${tag}/${path}`
  const picture = (path: string) => `https://raw.githubusercontent.com/${name}/${tag}/${path}`
  return markdown
    .replaceAll(/(!?)(\[[^\]]*\])\((?!https?:|#|mailto:)([^)\s]+)\)/g, (_, mark, text, path) =>
      mark ? `!${text}(${picture(path)})` : `${text}(${page(path)})`,
    )
    .replaceAll(/\b(src|srcset)="(?!https?:|data:)([^"]+)"/g, (_, name, path) => `${name}="${picture(path)}"`)
}
