/** The four forms of an inline selector. @spec §2.1 */
export type SelectorKind = 'preset' | 'server' | 'workflow' | 'tool';

/** One inline selector, parsed. `text` is the selector as given, trimmed. @spec §2.1 */
export interface Selector {
  readonly kind: SelectorKind;
  readonly name: string;
  readonly text: string;
}
