// The build puts the text of the file in its place.
declare module '*.md' {
  const text: string
  export default text
}
