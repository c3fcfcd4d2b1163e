import type { ReactNode } from 'react';

/** The strokes of icons in a square of 24. */
const PATHS = {
  overview: 'M4 4h7v7H4zM13 4h7v4h-7zM13 11h7v9h-7zM4 14h7v6H4z',
  agents: 'M5 9h14v10H5zM12 5v4M9 13v2M15 13v2M12 4h.01',
  catalog: 'M14.5 6.5a4 4 0 0 0-5 5L4 17l3 3 5.500-5.500a4 4 0 0 0 5-5L15 12l-3-3z',
  toolsets: 'M4 6h10M18 6h2M4 12h2M10 12h10M4 18h8M16 18h4M16 4v4M8 10v4M14 16v4',
  workflows: 'M4 4h6v6H4zM14 14h6v6h-6zM7 10v4a3 3 0 0 0 3 3h4',
  presets: 'M6 4h12v16l-6-4-6 4z',
  servers: 'M4 5h16v6H4zM4 13h16v6H4zM8 8h.01M8 16h.01',
  events: 'M12 6v6l4 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z',
  usage: 'M4 20h16M7 16v-4M12 16V6M17 16v-7',
  search: 'M10 4a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM14.500 14.500 20 20',
  help: 'M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM9.500 9.500a2.500 2.500 0 1 1 3.500 2.300c-.7.3-1 .8-1 1.700M12 17h.01',
} as const;

export type IconName = keyof typeof PATHS;

/** An icon in the colour of the text. Its meaning is in a text next to it. */
export const Icon = ({ name }: { readonly name: IconName }): ReactNode => (
  <svg
    aria-hidden
    width={18}
    height={18}
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    strokeWidth={1.75}
    strokeLinecap="round"
    strokeLinejoin="round"
  >
    <path d={PATHS[name]} />
  </svg>
);
