import { MantineProvider } from '@mantine/core';
import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';

/** Renders a part of a page as HTML. */
export const render = (page: ReactNode): string =>
  renderToStaticMarkup(<MantineProvider>{page}</MantineProvider>);
