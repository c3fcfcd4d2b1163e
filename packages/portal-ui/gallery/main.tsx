import '@mantine/core/styles.css';
import { Box, Container, MantineProvider, Stack, Title } from '@mantine/core';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { resolvePortalColors, portalTheme } from '../src/index.ts';
import { STATES } from './states.tsx';

/** The state in the address, or all of them. */
const shown = new URLSearchParams(location.search).get('state');

createRoot(document.getElementById('root') ?? document.body).render(
  <StrictMode>
    <MantineProvider
      theme={portalTheme}
      cssVariablesResolver={resolvePortalColors}
      defaultColorScheme="auto"
    >
      <Container component="main" py="md">
        <Title order={1} mb="md">
          States of the components
        </Title>
        <Stack gap="xl">
          {STATES.filter(({ name }) => shown === null || shown === name).map(
            ({ name, Example }) => (
              <Box key={name} component="section" aria-label={name} data-state={name}>
                <Title order={2} size="h4" mb="xs">
                  {name}
                </Title>
                <Example />
              </Box>
            ),
          )}
        </Stack>
      </Container>
    </MantineProvider>
  </StrictMode>,
);
