//! All tests of this crate that need no process of their own, in one program: it is linked once.

mod alone;
mod architecture;
mod book;
mod campaign;
mod certificates;
mod clients;
mod designs;
mod floats;
mod instances;
mod links;
mod live_clients;
mod lowering;
mod packaging;
mod passes;
mod playground;
mod programs;
mod python;
mod records;
mod scripts;
mod symbiyosys;
mod tidy;
mod torture;
