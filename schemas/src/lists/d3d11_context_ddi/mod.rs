//! The functions of d3d10umddi.h of a driver with handles per context, by subject. A function is in the immediate
//! context's table, in a deferred one's, or in both; its first argument is the context whose table is called.

mod command_list;
mod context;
mod device;
mod pipeline;
mod query;
mod resource;
mod shader;
mod state;
mod view;
mod work;
