/** The types that the package lacks. */
declare module 'parse-prometheus-text-format' {
  export default function parse(text: string): unknown
}
