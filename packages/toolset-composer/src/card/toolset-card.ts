import { FULL_ACCESS, NO_TOOLS } from '../composition/composition.ts';
import type { Resolution } from '../resolution/resolution.ts';
import type { DeclaredAccess } from './declared-access.ts';

/** A selector of an agent as a chip. */
export interface SelectorChip {
  readonly selector: string;
  /** It selects nothing for the person who reads the card. */
  readonly isUnmatched: boolean;
  /** It selects tools after the person has signed in. */
  readonly requiresSignIn: boolean;
}

/** The toolset of an agent as its card shows it. */
export type ToolsetCard =
  | { readonly kind: 'no-tools' }
  | { readonly kind: 'implicit-full-access' }
  | {
      readonly kind: 'toolset';
      readonly isFullAccess: boolean;
      readonly chips: readonly SelectorChip[];
    };

/** The headings and warnings of the cards. */
export const CARD_TEXTS = {
  noTools: 'No tools',
  implicitFullAccess: 'Implicit full access',
  fullAccess: 'Full gateway access',
  unmatched: '(matches nothing for you)',
} as const;

const isExactly = (toolset: readonly string[], selector: string): boolean =>
  toolset.length === 1 && toolset[0] === selector;

const chipsOf = (toolset: readonly string[], resolution: Resolution): readonly SelectorChip[] => {
  const [unmatched, requiringAuth] =
    resolution.state === 'resolved'
      ? [new Set(resolution.unmatched), new Set(resolution.requiringAuth)]
      : [new Set<string>(), new Set<string>()];
  return toolset.map((selector) => ({
    selector,
    isUnmatched: unmatched.has(selector),
    requiresSignIn: requiringAuth.has(selector),
  }));
};

/** Returns the card of an agent, for the person whom the toolset was resolved for. @spec §2.8, §4.3 */
export const toolsetCard = (declared: DeclaredAccess, resolution: Resolution): ToolsetCard => {
  switch (declared.access) {
    case 'none':
      return { kind: 'no-tools' };
    case 'implicit-full':
      return { kind: 'implicit-full-access' };
    case 'toolset': {
      const { toolset } = declared;
      if (toolset.length === 0 || isExactly(toolset, NO_TOOLS)) return { kind: 'no-tools' };
      return {
        kind: 'toolset',
        isFullAccess: toolset.includes(FULL_ACCESS),
        chips: chipsOf(toolset, resolution),
      };
    }
  }
};
