"""The same tasks in OpenCV. Each: images → (run, results)."""

import cv2
import numpy as np


def gaussian5(a):
    out = np.empty_like(a)
    return lambda: cv2.GaussianBlur(a, (5, 5), 0, dst=out, borderType=cv2.BORDER_REFLECT_101), [out]


def sobel(a):
    out = np.empty(a.shape, np.int16)
    return lambda: cv2.Sobel(a, cv2.CV_16S, 1, 0, dst=out, borderType=cv2.BORDER_REFLECT_101), [out]


def median3(a):
    out = np.empty_like(a)
    return lambda: cv2.medianBlur(a, 3, dst=out), [out]


def opening15(a):
    out, element = np.empty_like(a), np.ones((15, 15), np.uint8)
    return lambda: cv2.morphologyEx(a, cv2.MORPH_OPEN, element, dst=out, borderType=cv2.BORDER_REPLICATE), [out]


def equalization(a):
    out = np.empty_like(a)
    return lambda: cv2.equalizeHist(a, dst=out), [out]


def disc(a):
    out, element = np.empty_like(a), np.zeros((15, 15), np.uint8)
    for column, half in enumerate([0, 3, 5, 6, 6, 7, 7, 7, 7, 7, 6, 6, 5, 3, 0]):
        element[7 - half:8 + half, column] = 1
    return lambda: cv2.dilate(a, element, dst=out, borderType=cv2.BORDER_REPLICATE), [out]
