//! The API calls of d3d11.h, by interface, and those of the instant-access extension.

mod command_list;
mod context;
mod device;
mod extension;
mod resource;
mod state;
mod view;
