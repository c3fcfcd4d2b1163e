/** How models are told to go about the operations, which MCP servers say with them. */
export const INSTRUCTIONS =
  'Agents declare with `toolset` which of the gateway’s tools they may use. Look with list_agents and list_model_configs, try with validate_agent, then create_agent or update_agent; get_agent_status tells when it runs.';
