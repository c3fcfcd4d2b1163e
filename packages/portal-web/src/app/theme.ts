import { createTheme } from '@mantine/core';

/** The appearance of the portal: the fonts of the reader's system, and colours with enough contrast in light and dark. */
export const theme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 7 },
  autoContrast: true,
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
});

/** The nonce with which styles of components are permitted. Browsers hide it from attributes. */
export const styleNonce = (): string =>
  document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? '';
