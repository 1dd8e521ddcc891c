//! The functions of `boolector.h` that read and write streams.
#![expect(clippy::missing_safety_doc, reason = "the contract of addresses is that of Boolector's header")]
#![allow(
    unsafe_code,
    reason = "names and addresses of C; what is done with them is in `pointers` and `streams`"
)]

use super::abi::call;
use super::btor::{BtorPtr, NodePtr};
use super::parsing::Parsed;
use crate::pointers::{put, text};
use crate::streams;
use crate::text::Language;
use bivalve_formats::Language as Format;
use libc::FILE;
use std::ffi::c_char;
use std::ptr::null_mut;

/// `boolector_print_model` of Boolector.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn boolector_print_model(btor: BtorPtr, format: *mut c_char, file: *mut FILE) {
    let format = unsafe { text(format) };
    call("boolector_print_model", btor, |btor| {
        let model = btor.model(format?)?;
        unsafe { streams::write(file, &model) }
    });
}

macro_rules! dumps {
    ($($whole:ident $node:ident $language:ident;)*) => {
        $(#[doc = concat!("`", stringify!($whole), "` of Boolector.")]
        #[unsafe(no_mangle)]
        pub unsafe extern "C-unwind" fn $whole(btor: BtorPtr, file: *mut FILE) {
            call(stringify!($whole), btor, |btor| {
                let dumped = btor.dump(Language::$language)?;
                unsafe { streams::write(file, &dumped) }
            });
        }

        #[doc = concat!("`", stringify!($node), "` of Boolector.")]
        #[unsafe(no_mangle)]
        pub unsafe extern "C-unwind" fn $node(btor: BtorPtr, file: *mut FILE, node: NodePtr) {
            call(stringify!($node), btor, |btor| {
                let dumped = btor.dump_node(node, Language::$language)?;
                unsafe { streams::write(file, &dumped) }
            });
        })*
    };
}

dumps! {
    boolector_dump_btor boolector_dump_btor_node Btor;
    boolector_dump_smt2 boolector_dump_smt2_node SmtLib2;
}

/// What Boolector returns for a malformed text.
const PARSE_ERROR: i32 = 1;

/// Reads a text, and puts what it says where the program wants it.
unsafe fn parsed(
    function: &str,
    btor: BtorPtr,
    (infile, name, outfile): (*mut FILE, *const c_char, *mut FILE),
    (error, status): (*mut *mut c_char, *mut i32),
    language: Option<Format>,
    is_smt2: *mut bool,
) -> i32 {
    call(function, btor, |btor| {
        let name = unsafe { text(name)? };
        let input = unsafe { streams::read(infile)? };
        unsafe { put(error, null_mut())? };
        let parsed = match btor.parse(&input, name, language) {
            Ok(parsed) => parsed,
            Err(fault) => {
                let message = btor.keep_message(&fault.message);
                unsafe { put(error, message)? };
                Parsed { result: PARSE_ERROR, ..Parsed::default() }
            }
        };
        if !parsed.output.is_empty() {
            unsafe { streams::write(outfile, &parsed.output)? };
        }
        if !status.is_null() {
            unsafe { put(status, parsed.status)? };
        }
        if !is_smt2.is_null() {
            unsafe { put(is_smt2, parsed.is_smt2)? };
        }
        Ok(parsed.result)
    })
}

/// `boolector_parse` of Boolector.
#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn boolector_parse(
    btor: BtorPtr,
    infile: *mut FILE,
    name: *const c_char,
    outfile: *mut FILE,
    error: *mut *mut c_char,
    status: *mut i32,
    is_smt2: *mut bool,
) -> i32 {
    unsafe { parsed("boolector_parse", btor, (infile, name, outfile), (error, status), None, is_smt2) }
}

macro_rules! parsers {
    ($($name:ident $language:expr;)*) => {
        $(#[doc = concat!("`", stringify!($name), "` of Boolector.")]
        #[unsafe(no_mangle)]
        pub unsafe extern "C-unwind" fn $name(
            btor: BtorPtr,
            infile: *mut FILE,
            name: *const c_char,
            outfile: *mut FILE,
            error: *mut *mut c_char,
            status: *mut i32,
        ) -> i32 {
            let streams = (infile, name, outfile);
            unsafe { parsed(stringify!($name), btor, streams, (error, status), $language, null_mut()) }
        })*
    };
}

parsers! {
    boolector_parse_btor Some(Format::Btor);
    boolector_parse_btor2 Some(Format::Btor2);
    boolector_parse_smt1 Some(Format::SmtLib1);
    boolector_parse_smt2 None;
}
