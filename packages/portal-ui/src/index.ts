export { ToolsetCard, type ToolsetCardProps } from './card/toolset-card-view.tsx';
export { ServerList, type ServerListProps } from './servers/server-list.tsx';
export {
  SignInOffers,
  type SignInOffersProps,
  isWebAddress,
  type SignInStart,
  type StartSignIn,
} from './sign-in/sign-in-offers.tsx';
export { type AgentToolset, ToolsStep, type ToolsStepProps } from './step/tools-step.tsx';
export {
  type ComposeProps,
  ToolsetEditor,
  type ToolsetEditorProps,
} from './step/toolset-editor.tsx';
export { resolvePortalColors, portalTheme } from './theme/portal-theme.ts';
export {
  ResolvedTools,
  ToolList,
  type ToolListProps,
  ToolMarks,
  narrowNameHeight,
  ToolName,
  useNarrowNames,
} from './tools/tool-list.tsx';
export { VirtualRows, type VirtualRowsProps } from './tools/virtual-rows.tsx';
