import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { AgentTools, Appearance, type Host } from './plugin.tsx';

/** Renders the Tools step into an element. Returns what removes it. */
export const mountAgentTools = (
  element: HTMLElement,
  host: Host,
  onToolset: (toolset: readonly string[]) => void,
): (() => void) => {
  const root = createRoot(element);
  root.render(
    <StrictMode>
      <Appearance>
        <AgentTools host={host} onToolset={onToolset} />
      </Appearance>
    </StrictMode>,
  );
  return () => root.unmount();
};
