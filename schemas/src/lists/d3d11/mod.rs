//! The API calls of d3d11.h, by interface, and those of the instant-access extension.

mod binding;
mod command_list;
mod context;
mod device;
mod extension;
mod pipeline;
mod query;
mod resource;
mod shader;
mod state;
mod view;
mod work;
