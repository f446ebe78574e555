/**
 * The text that inline Markdown means, for one line of a list, where formatting would only be noise. It takes away marks
 * and adds nothing, so the result is as hostile as the source.
 */
export function withoutMarkdown(source: string): string {
  return source
    .replaceAll(/^ {0,3}(?:`{3,}|~{3,})[^\n]{0,40}$/gm, '')
    .replaceAll(/^ {0,3}(?:#{1,6}|[-*+>]) +/gm, '')
    .replaceAll(/!?\[([^\][\n]{0,300})\]\([^()\s]{0,500}\)/g, '$1')
    .replaceAll(/(`{1,2})([^`\n]{1,300})\1/g, '$2')
    .replaceAll(/(\*\*|__|~~)(?=\S)([^*_~\n]{1,300})(?<=\S)\1/g, '$2')
    .replaceAll(/(?<![\w*])\*(?=[^\s*])([^*\n]{1,300})(?<=[^\s*])\*(?![\w*])/g, '$1')
    .replaceAll(/(?<!\w)_(?=[^\s_])([^_\n]{1,300})(?<=[^\s_])_(?!\w)/g, '$1')
}
