import { createTheme, TableScrollContainer, type CSSVariablesResolver } from '@mantine/core';

/** The luminance of a colour on which black and white have the same contrast, 4.58:1 (WCAG 2.2, relative luminance). */
const EQUAL_CONTRAST = 0.179;

/** The appearance of the portal: the fonts of the reader's system, and colours with the contrast of WCAG 2.2 AA in light and dark. */
export const portalTheme = createTheme({
  primaryColor: 'indigo',
  primaryShade: { light: 8, dark: 7 },
  autoContrast: true,
  luminanceThreshold: EQUAL_CONTRAST,
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    // A button with a cross alone has no name for assistive technology. `Modal.extend` would load the dialog with the first page.
    Modal: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    // Assistive technology expects nothing but items in a menu.
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    // Wide tables scroll with the keyboard too.
    TableScrollContainer: TableScrollContainer.extend({
      defaultProps: { scrollAreaProps: { viewportProps: { tabIndex: 0 } } },
    }),
  },
});

/** Text in a colour, on white and on the lightest shades of the same colour. */
const darken = (color: string): string =>
  `color-mix(in srgb, var(--mantine-color-${color}-9) 65%, black)`;

/** Replaces the colours of texts whose contrast is less than 4.5:1 in the default appearance of Mantine. */
export const resolvePortalColors: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--mantine-color-gray-7)',
    '--mantine-color-placeholder': 'var(--mantine-color-gray-7)',
    '--mantine-color-error': 'var(--mantine-color-red-9)',
    ...Object.fromEntries(
      Object.keys(colors).flatMap((color) =>
        ['text', 'light-color', 'outline'].map((use) => [
          `--mantine-color-${color}-${use}`,
          darken(color),
        ]),
      ),
    ),
  },
  dark: {
    '--mantine-color-dimmed': 'var(--mantine-color-dark-1)',
    '--mantine-color-placeholder': 'var(--mantine-color-dark-1)',
    '--mantine-color-error': 'var(--mantine-color-red-4)',
  },
});
